import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { newCallbackSecret, signCallback } from '../../src/payments-api/payments-api.ts'
import { callbackPath, createWebServer, type WebServer } from '../../src/web/web-server.ts'
import { ManualClock } from '../support/manual-clock.ts'

const TOKEN = 'a-token-that-was-given-out'
const secret = newCallbackSecret(systemEntropy)
const clock = new ManualClock()
let server: WebServer
let heard: { token: string; said: unknown }[]
/** Resolves when a hint is durable. */
let durable: () => Promise<void>
/** The reason why the bot cannot work, or undefined. */
let why: string | undefined
let believesClock: boolean

async function serve(signingSecrets: string[]): Promise<void> {
  server = await createWebServer({
    tipping: {
      hint: async (token, said) => {
        await durable()
        heard.push({ token, said })
        return token === TOKEN ? 'noted' : 'unknown'
      },
    },
    whyNotReady: async () => why,
    believesClock: () => believesClock,
    port: 0,
    signingSecrets,
    clock,
    logger: silentLogger,
  })
}

beforeEach(() => {
  heard = []
  why = undefined
  believesClock = true
  durable = async () => undefined
})

afterEach(() => server.close())

interface Call {
  readonly token?: string
  readonly body?: string
  readonly headers?: Record<string, string>
}

async function call({ token = TOKEN, body = '{"status":"active"}', headers = {} }: Call = {}) {
  const response = await fetch(server.address + callbackPath(token), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

function signed(body: string, with_ = secret, id = 'callback-1'): Record<string, string> {
  return { ...signCallback({ id, body, secrets: [with_], clock }) }
}

describe('a callback to the web server', () => {
  it('is passed on as a hint with its content', async () => {
    await serve([])
    expect(await call({ body: '{"status":"active","slots":1}' })).toEqual({ status: 204, body: undefined })
    expect(heard).toEqual([{ token: TOKEN, said: { status: 'active', slots: 1 } }])
  })

  it('is answered only once the hint has been stored', async () => {
    await serve([])
    const written = Promise.withResolvers<void>()
    durable = () => written.promise
    let answered = false
    const answer = call().finally(() => {
      answered = true
    })
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    expect(answered).toBe(false)
    written.resolve()
    expect((await answer).status).toBe(204)
  })

  it('is answered with 500 if the hint cannot be stored, and can be delivered again', async () => {
    await serve([])
    durable = () => Promise.reject(new Error('disk full'))
    expect((await call()).status).toBe(500)
    durable = async () => undefined
    expect((await call()).status).toBe(204)
  })

  it.each(['', 'not json', '[1', 'null'])('counts as a hint even if its body is %j', async (body) => {
    await serve([])
    expect((await call({ body })).status).toBe(204)
    expect(heard).toHaveLength(1)
  })

  it('is answered with 404 if its URL is unknown', async () => {
    await serve([])
    expect(await call({ token: 'guessed' })).toMatchObject({ status: 404, body: { success: false, code: 'not_found' } })
  })

  it('is answered with 413, and is not a hint, if it is too large', async () => {
    await serve([])
    expect((await call({ body: JSON.stringify('x'.repeat(70_000)) })).status).toBe(413)
    expect(heard).toEqual([])
  })

  it('is answered with 405 if its method is not POST', async () => {
    await serve([])
    expect((await fetch(server.address + callbackPath(TOKEN))).status).toBe(405)
  })
})

describe('a callback to a bot with callback secrets', () => {
  it('is accepted if it is signed with any of them', async () => {
    const older = newCallbackSecret(systemEntropy)
    await serve([secret, older])
    const body = '{"status":"active"}'
    expect((await call({ body, headers: signed(body) })).status).toBe(204)
    expect((await call({ body, headers: signed(body, older) })).status).toBe(204)
  })

  it.each([
    ['not signed', () => ({})],
    ['signed with another secret', (body: string) => signed(body, newCallbackSecret(systemEntropy))],
    ['signed for another body', () => signed('{}')],
    ['signed under another id', (body: string) => ({ ...signed(body), 'webhook-id': 'callback-2' })],
    ['invalidly signed', (body: string) => ({ ...signed(body), 'webhook-signature': 'v1,AAAA' })],
  ])('is answered with 401 if it is %s', async (_, headers) => {
    await serve([secret])
    const body = '{"status":"active"}'
    expect(await call({ body, headers: headers(body) })).toMatchObject({ status: 401, body: { success: false } })
    expect(heard).toEqual([])
  })

  it('is accepted even if it is late or replayed, since it is only a hint', async () => {
    await serve([secret])
    const body = '{}'
    const headers = signed(body)
    expect((await call({ body, headers })).status).toBe(204)
    await clock.advance(3 * 24 * 3_600_000)
    expect((await call({ body, headers })).status).toBe(204)
    expect(heard).toHaveLength(2)
  })

  it('is never received if a secret is invalid, since the server does not start', async () => {
    await expect(serve(['€'])).rejects.toThrow('whsec_')
    await serve([])
  })
})

describe('the web server', () => {
  it('reports that it is healthy', async () => {
    await serve([secret])
    const response = await fetch(`${server.address}/health`)
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }])
  })

  it('answers unknown paths in the error format', async () => {
    await serve([])
    const response = await fetch(`${server.address}/elsewhere`)
    expect([response.status, await response.json()]).toEqual([404, expect.objectContaining({ success: false })])
  })
})

describe('the route /ready', () => {
  const ready = async () => {
    const response = await fetch(`${server.address}/ready`)
    return { status: response.status, body: await response.json() }
  }

  it('explains why the bot is not ready', async () => {
    why = 'Discord is not connected now.'
    await serve([])
    expect(await ready()).toMatchObject({ status: 503, body: { message: why } })
    why = undefined
    expect(await ready()).toEqual({ status: 200, body: { status: 'ready' } })
  })

  it('reports that the clock is doubted, and that the bot is ready nevertheless', async () => {
    await serve([])
    believesClock = false
    expect(await ready()).toEqual({ status: 200, body: { status: 'ready', clock: 'doubted' } })
  })

  it('answers 503 while the server is about to stop and still receives callbacks', async () => {
    await serve([])
    await server.drain(0)
    expect(await ready()).toMatchObject({ status: 503, body: { code: 'draining' } })
    expect((await call()).status).toBe(204)
  })
})
