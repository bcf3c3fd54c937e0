import { setupManifest } from '@start9labs/start-sdk'

export const manifest = setupManifest({
  id: 'satchel',
  title: 'Satchel',
  license: 'MIT',
  packageRepo: 'https://example.org/satchel',
  upstreamRepo: 'https://example.org/satchel',
  marketingUrl: 'https://example.org/satchel',
  donationUrl: null,
  description: {
    short: 'A Discord bot that carries your community’s sats',
    long: 'Members thank each other with sats on Discord: tips, giveaways, drops and rewards. Satchel runs on this server with a Lightning node of your own, and both of its books use double entry. Set-up is a page in the browser. It begins with test sats where no node is chosen.',
  },
  volumes: ['main', 'startos'],
  images: {
    satchel: {
      source: { dockerTag: 'registry.example.org/satchel:0.1.0' },
      arch: ['x86_64', 'aarch64'],
    },
  },
  dependencies: {
    lnd: {
      description: 'Real sats on the LND node of this server',
      optional: true,
      metadata: { title: 'LND', icon: 'https://example.org/satchel/lnd.svg' },
    },
    phoenixd: {
      description: 'Real sats on the phoenixd of this server',
      optional: true,
      metadata: { title: 'phoenixd', icon: 'https://example.org/satchel/phoenixd.svg' },
    },
  },
})
