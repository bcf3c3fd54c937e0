import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { parseConfig } from '../../src/config/config.ts'
import { read, root, unknownSettings, version, wordsOf } from './files.ts'

const text = z.string().min(1)
/** The keys that the store's README requires in a manifest, and no others. */
const manifest = z.strictObject({
  manifestVersion: z.union([z.literal(1), z.literal(1.1)]),
  id: z.string().regex(/^[a-z]+(-[a-z]+)*$/),
  category: z.enum(['bitcoin', 'finance', 'social']),
  name: text,
  version: text,
  tagline: text.max(60),
  description: text,
  releaseNotes: z.string(),
  developer: text,
  website: z.url(),
  dependencies: z.array(z.enum(['bitcoin', 'lightning', 'electrs'])),
  repo: z.url(),
  support: z.url(),
  port: z.int().min(1_024).max(39_999),
  gallery: z.array(text),
  path: z.string().regex(/^(\/.*)?$/),
  defaultUsername: z.string(),
  defaultPassword: z.string(),
  deterministicPassword: z.boolean(),
  submitter: text,
  submission: z.url(),
})
const compose = z.strictObject({
  version: z.literal('3.7'),
  services: z.strictObject({
    app_proxy: z.strictObject({
      environment: z.strictObject({ APP_HOST: text, APP_PORT: z.int(), PROXY_AUTH_WHITELIST: text }),
    }),
    server: z.strictObject({
      image: z.string().regex(/^[a-z0-9.-]+(\/[a-z0-9-]+)+:\d+\.\d+\.\d+@sha256:[0-9a-f]{64}$/),
      user: z.literal('1000:1000'),
      restart: z.literal('on-failure'),
      stop_grace_period: z.literal('1m'),
      environment: z.record(text, z.string()),
      volumes: z.array(z.string().regex(/^\$\{[A-Z_]+\}[\w./-]*:\/[\w./-]+(:ro)?$/)),
    }),
  }),
})
/** The variables that Umbrel and its Lightning node provide. */
const GIVEN: Readonly<Record<string, string>> = {
  APP_DATA_DIR: '/umbrel/app-data/satchel',
  APP_PASSWORD: 'c0ffee'.repeat(10),
  APP_LIGHTNING_NODE_IP: '10.21.21.9',
  APP_LIGHTNING_NODE_REST_PORT: '8080',
  APP_LIGHTNING_NODE_DATA_DIR: '/umbrel/app-data/lightning/data/lnd',
  APP_BITCOIN_NETWORK: 'mainnet',
}
const source = read('deploy/umbrel/docker-compose.yml')
const { services } = compose.parse(parse(source))
const app = manifest.parse(parse(read('deploy/umbrel/umbrel-app.yml')))

describe('the package for Umbrel', () => {
  it('has the project’s version and passes Umbrel’s password to set-up and the console', () => {
    expect(app.version).toBe(version)
    expect(services.server.image).toContain(`:${version}@sha256:`)
    expect(app.deterministicPassword).toBe(true)
    const { SETUP_CODE, CONSOLE_PASSWORD } = services.server.environment
    expect([SETUP_CODE, CONSOLE_PASSWORD]).toEqual(Array(2).fill(`$${'{APP_PASSWORD}'}`))
    expect(app.path).toBe('/setup')
    expect(app.releaseNotes).toBe('')
  })

  it('uses only variables that Umbrel or a declared dependency provides', () => {
    const asked = [...source.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name)
    expect(asked.filter((name) => GIVEN[name] === undefined)).toEqual([])
    expect(asked.some((name) => name.startsWith('APP_LIGHTNING_'))).toBe(app.dependencies.includes('lightning'))
  })

  it('gives Satchel valid settings and leaves the choice of a node to the owner', () => {
    const { environment } = services.server
    expect(unknownSettings(Object.keys(environment))).toEqual([])
    const filled = Object.entries(environment).map(([name, value]) => [
      name,
      value.replace(/\$\{(\w+)\}/g, (_, asked: string) => GIVEN[asked] ?? ''),
    ])
    const config = parseConfig(Object.fromEntries(filled))
    expect(config.service).toMatchObject({ lightning: { kind: 'sandbox' }, trustProxy: true })
    expect(config.setUpCode).toBe(GIVEN.APP_PASSWORD)
    expect(environment.LND_REST_URL).toMatch(/^https:/)
  })

  it('points Umbrel’s proxy at the server container and Satchel’s web port', () => {
    expect(services.app_proxy.environment.APP_HOST).toBe(`${app.id}_server_1`)
    expect(services.app_proxy.environment.APP_PORT).toBe(parseConfig({}).callbacks.port)
    expect(wordsOf('EXPOSE')).toContain(String(services.app_proxy.environment.APP_PORT))
  })

  it('keeps the data in the app’s folder and mounts the node’s data read-only', () => {
    expect(services.server.volumes).toEqual([
      `$${'{APP_DATA_DIR}'}/data:${wordsOf('VOLUME')[0]}`,
      `$${'{APP_LIGHTNING_NODE_DATA_DIR}'}:/lnd:ro`,
    ])
    expect(existsSync(join(root, 'deploy/umbrel/data/.gitkeep'))).toBe(true)
    for (const name of ['LND_MACAROON_FILE', 'LND_TLS_CERT_FILE']) {
      expect(services.server.environment[name]).toMatch(/^\/lnd\//)
    }
  })
})
