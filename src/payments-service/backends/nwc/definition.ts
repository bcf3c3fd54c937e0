import { defineBackend } from '../definition.ts'

export const nwc = defineBackend({
  kind: 'nwc',
  title: 'A wallet with Nostr Wallet Connect (NWC)',
  advice:
    'Make a connection in the wallet that may receive, send, read its balance and list transactions. Put its text, which begins with nostr+walletconnect://, into a file.',
  variables: {
    uri: {
      form: 'secret',
      name: 'NWC_URI',
      example: '/run/secrets/nwc',
      question: { what: 'The file with the connection', usual: './nwc-connection' },
    },
    // `nip04` is for a wallet so old that it does not report its encryption.
    encryption: { form: 'choice', name: 'NWC_ENCRYPTION', choices: ['auto', 'nip04'] },
  },
  create: async (settings, parts) => (await import('./nwc.ts')).createNwc(settings, parts),
})
