import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { OperatorsBoard } from '../../src/assembly/operators-board.ts'
import { type BrowserSetUp, setUpInBrowser } from '../../src/assembly/set-up/set-up-in-browser.ts'
import { createStatusPage } from '../../src/bot/bot.ts'
import { parseConfig } from '../../src/config/config.ts'
import { createEmulator, type Emulator } from '../../src/discord-emulator/emulator.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { createWebServer } from '../../src/web/web-server.ts'
import { type AppProxy, SIGNED_IN, startAppProxy } from '../support/app-proxy.ts'
import { read } from './files.ts'

const runtime = { clock: systemClock, entropy: systemEntropy, logger: silentLogger }
const whitelist: string[] = parse(
  read('deploy/umbrel/docker-compose.yml'),
).services.app_proxy.environment.PROXY_AUTH_WHITELIST.split(',')
/** The value of the Host header from a browser that has opened the box's page. */
const host = 'umbrel.local:8788'

let target: string
let proxy: AppProxy
beforeAll(async () => {
  proxy = await startAppProxy(() => target, whitelist)
})
afterAll(() => proxy.close())

/**
 * Returns the proxy's answer to a request with this cookie. `umbrel.local` does not resolve here, so only the Host
 * header contains it.
 */
async function ask(path: string, { method = 'GET', cookie = '', body = '', headers = {} } = {}) {
  const { request } = await import('node:http')
  return await new Promise<{ status: number; text: string; headers: Record<string, unknown> }>((resolve, reject) => {
    const asked = request(proxy.url + path, { method, headers: { host, cookie, ...headers } }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, text: String(Buffer.concat(parts)), headers: answer.headers }),
      )
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

describe('set-up behind the proxy of a home server', () => {
  let discord: Emulator
  let folder: string
  let setUp: BrowserSetUp<string>
  const code = 'c0ffee'.repeat(10)
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'behind-app-proxy-'))
    discord = await createEmulator(runtime)
    setUp = await setUpInBrowser(
      {
        ...{ runtime, apiUrl: discord.restUrl, envFile: join(folder, 'settings.env') },
        ...{
          environment: { CUSTODY: 'none' },
          allowFirstBook: () => undefined,
          port: 0,
          host: '127.0.0.1',
          trustProxy: true,
          code,
        },
        withOwnService: () => Promise.reject(new Error('holding no sats needs no service')),
        announce: (address) => {
          target = new URL(address).origin
        },
      },
      async () => 'running',
    )
  })
  afterAll(async () => {
    await setUp.close()
    await discord.close()
    rmSync(folder, { recursive: true })
  })

  it.each(['/', '/setup', '/setup/state', '/health', '/ready'])(
    'does not show %s before a log-in at the home server',
    async (path) => {
      expect(await ask(path)).toMatchObject({ status: 302, headers: { location: expect.stringContaining(':2000/') } })
      expect(await ask(path, { cookie: 'UMBREL_PROXY_TOKEN=invented' })).toMatchObject({ status: 302 })
    },
  )

  it('accepts forms over plain http, but only from its own origin', async () => {
    const form = { method: 'POST', cookie: SIGNED_IN, body: `code=${code}` }
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    for (const origin of ['null', 'http://umbrel.local:8789', 'http://elsewhere.example']) {
      expect(await ask('/setup/code', { ...form, headers: { ...type, origin } })).toMatchObject({ status: 403 })
    }
    const policy = (await ask('/setup', { cookie: SIGNED_IN })).headers['referrer-policy']
    // Browsers send these headers for each policy: https://fetch.spec.whatwg.org/#append-a-request-origin-header
    expect(policy).toBe('same-origin')
    expect(await ask('/setup/code', { ...form, headers: { ...type, origin: `http://${host}` } })).toMatchObject({
      status: 303,
    })
  })

  it('accepts the set-up code, stores the answers and starts Satchel', async () => {
    let cookie = SIGNED_IN
    const post = async (path: string, fields: Record<string, string>) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: `http://${host}` }
      const answer = await ask(path, { method: 'POST', cookie, headers, body: String(new URLSearchParams(fields)) })
      expect(answer.headers.location ?? '/setup').toBe('/setup')
      const [set] = (answer.headers['set-cookie'] ?? []) as string[]
      if (set !== undefined) cookie = `${SIGNED_IN}; ${set.split(';')[0]}`
      return answer
    }
    const page = async () => {
      let shown = ''
      await expect
        .poll(async () => (shown = (await ask('/setup', { cookie })).text), { interval: 250 })
        .toMatch(/name="number"|Start Satchel/)
      return shown
    }
    await post('/setup/code', { code })
    for (const text of [discord.token, 'no', '', '']) {
      await post('/setup/answer', { number: /name="number" value="(\d+)"/.exec(await page())?.[1] ?? '', answer: text })
    }
    await expect.poll(page).toContain('Start Satchel')
    expect(readFileSync(join(folder, 'settings.env'), 'utf8')).toContain(`DISCORD_TOKEN=${discord.token}\n`)
    expect((await post('/setup/start', {})).text).toContain('Satchel is starting')
    expect(await setUp.started).toBe('running')
  })
})

describe('the web server behind the proxy of a home server', () => {
  const told: unknown[] = []
  beforeAll(async () => {
    const web = await createWebServer({
      tipping: {
        hint: async (token) => {
          told.push(token)
          return 'noted'
        },
      },
      operators: { pages: new OperatorsBoard(runtime, parseConfig({})), publicUrl: undefined },
      status: {
        view: () => Promise.reject(new Error('not asked')),
        testMoney: () => true,
        page: createStatusPage(() => true),
      },
      trustProxy: true,
      port: 0,
      ...runtime,
    })
    target = web.address
    closing.push(() => web.close())
  })
  const closing: (() => Promise<void>)[] = []
  afterAll(() => Promise.all(closing.map((close) => close())))

  it('receives callbacks from a provider that is not logged in at the home server', async () => {
    const answer = await ask('/callbacks/some-token', {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    })
    expect([answer.status, told]).toEqual([204, ['some-token']])
  })

  it.each([
    '/pay/some-card',
    '/pay/some-card/state',
    '/wallet/connect',
    '/wallet/connect/begin',
    '/linked-roles',
    '/linked-roles/callback',
    '/interactions',
    '/discord-events',
    '/status.json',
    '/api/v1/openapi.json',
  ])('can be reached at %s without a log-in at the home server', async (path) => {
    expect((await ask(path)).status).not.toBe(302)
  })

  it.each([
    '/',
    '/setup',
    '/operators',
    '/operators/sign-in',
    '/console',
    '/metrics',
    '/health',
    '/ready',
    '/callbacks',
    '/api/v2/x',
    '/payments',
  ])('can be reached at %s only after a log-in at the home server', async (path) => {
    expect((await ask(path)).status).toBe(302)
    expect((await ask(path, { cookie: SIGNED_IN })).status).not.toBe(302)
  })

  it('redirects / to the status page and /setup to the console', async () => {
    for (const [path, location] of Object.entries({ '/': '/status', '/setup': '/console' })) {
      expect(await ask(path, { cookie: SIGNED_IN })).toMatchObject({ status: 303, headers: { location } })
    }
  })

  it('limits one caller’s requests even if each claims a different address', async () => {
    // So many that even a busy machine, which takes seconds for them, refuses some.
    const claims = Array.from({ length: 100 }, (_, i) => ({ 'x-forwarded-for': `203.0.113.${i}` }))
    const answers = await Promise.all(
      claims.map((headers) => ask('/operators/sign-in', { cookie: SIGNED_IN, headers })),
    )
    expect(answers.map(({ status }) => status)).toContain(429)
  })
})
