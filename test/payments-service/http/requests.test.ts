import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { type Operation, operations } from '../../../src/payments-api/payments-api.ts'
import { expectRefusal, ServiceWorld, type TestProject } from '../harness.ts'
import { missing, noteAnswer, sharedRefusals } from '../promises.ts'

let world: ServiceWorld
let project: TestProject

beforeAll(async () => {
  world = await ServiceWorld.open()
  project = await world.project()
  await world.user('alice')
})
afterAll(() => world.close())

const pathOf = (path: string) => path.replace(/\{\w+\}/g, 'something')

describe.each(Object.values(operations))('$name', ({ verb, path, scope }) => {
  it('401: refuses a missing or unknown key before anything else', async () => {
    expectRefusal(await world.raw(verb, pathOf(path)), 401, 'missing_api_key')
    const text = verb === 'GET' ? {} : { text: '{broken' }
    expectRefusal(await world.raw(verb, pathOf(path), { apiKey: 'wrong', ...text }), 401, 'unknown_api_key')
  })

  it('403: refuses a key that lacks the operation’s scope', async () => {
    const scopes = (['read', 'receive', 'send'] as const).filter((other) => other !== scope)
    const { apiKey } = await world.administration.createKey(project.projectId, { scopes })
    expectRefusal(await world.raw(verb, pathOf(path), { apiKey }), 403, 'missing_scope')
  })

  it('405: refuses any other method', async () => {
    const answer = await world.raw('DELETE', pathOf(path), { apiKey: project.apiKey })
    expectRefusal(answer, 405, 'wrong_verb')
    expect(answer.headers.get('allow')).toContain(verb)
  })
})

describe.each(Object.values(operations).filter((operation) => operation.body))('$name', ({ verb, path }) => {
  const send = (text: string, headers?: Record<string, string>) =>
    world.raw(verb, pathOf(path), { apiKey: project.apiKey, text, ...(headers && { headers }) })

  it('400: refuses a body that is broken or not an object', async () => {
    expectRefusal(await send('{"amount":'), 400, 'invalid_json')
    expectRefusal(await send('{"__proto__":{"x":1}}'), 400, 'invalid_json')
    for (const text of ['[]', 'null', '"text"', '1']) expectRefusal(await send(text), 400, 'invalid_body')
    expectRefusal(await send('{"nonsense":1}'), 400, 'unknown_field')
  })

  it('413, 415: refuses a body that is too large or not JSON', async () => {
    expectRefusal(await send(JSON.stringify({ description: 'x'.repeat(70_000) })), 413, 'body_too_large')
    expectRefusal(await send('a=1', { 'content-type': 'text/plain' }), 415, 'unsupported_media_type')
  })
})

describe.each(Object.values(operations).filter((operation: Operation) => operation.path.includes('{')))(
  '$name',
  ({ verb, path }) => {
    const ask = (parameter: string) =>
      world.raw(verb, path.replace(/\{\w+\}/, parameter), {
        apiKey: project.apiKey,
        ...(verb === 'PATCH' && { body: {} }),
      })

    it('400, 414: refuses a path parameter that is invalid or too long', async () => {
      expectRefusal(await ask('x'.repeat(600)), 400, 'invalid_field')
      for (const odd of ['a%00b', '%00', '%zz', '%C0%80', '%ED%A0%80']) {
        expectRefusal(await ask(odd), 400, 'malformed_url')
      }
      expectRefusal(await ask('x'.repeat(3_000)), 414, 'url_too_long')
    })
  },
)

describe.each(Object.values(operations).filter((operation) => operation.verb === 'POST'))('$name', ({ name, path }) => {
  const send = (key: string, body: object) =>
    world.raw('POST', pathOf(path), { apiKey: project.apiKey, body, headers: { 'idempotency-key': key } })

  it('400, 409: refuses an Idempotency-Key that is invalid or belongs to another body', async () => {
    expectRefusal(await send('two words', {}), 400, 'invalid_idempotency_key')
    const first = await send(name, {})
    expect(await send(name, {})).toMatchObject({ status: first.status, text: first.text })
    expectRefusal(await send(name, { nonsense: 1 }), 409, 'idempotency_key_reused')
  })
})

it('403 region_not_supported, 429 rate_limited: can be returned by any operation', async () => {
  const settings = { unsupportedCountries: ['US'], enforceRegions: true, trustProxy: true, requestsPerSecond: 10 }
  const strict = await ServiceWorld.open({ settings })
  const { apiKey } = await strict.project()
  const ask = ({ verb, path }: Operation, ip: string) =>
    strict.raw(verb, pathOf(path), { apiKey, headers: { 'x-forwarded-for': ip } })
  for (const operation of Object.values(operations)) {
    expectRefusal(await ask(operation, '8.8.8.8'), 403, 'region_not_supported')
  }
  while ((await ask(operations.getWallet, '193.0.6.139')).status === 200);
  for (const operation of Object.values(operations)) {
    const answer = await ask(operation, '193.0.6.139')
    expectRefusal(answer, 429, 'rate_limited')
    expect(answer.headers.get('retry-after')).toBe('1')
  }
  await strict.close()
})

describe('408 slow_body', () => {
  /** Writes `first` on a bare connection, then a byte now and then, until the other side closes it. */
  function drip(first: string): Promise<string> {
    const { hostname, port } = new URL(slow.url)
    return new Promise((resolve) => {
      let answer = ''
      let dripping: NodeJS.Timeout | undefined
      const socket = connect(Number(port), hostname, () => {
        socket.write(first)
        dripping = setInterval(() => socket.writable && socket.write(' '), 50)
      })
      socket.setEncoding('utf8').on('data', (chunk) => {
        answer += chunk
      })
      socket.on('error', () => undefined)
      socket.on('close', () => {
        clearInterval(dripping)
        resolve(answer)
      })
    })
  }
  let slow: ServiceWorld
  beforeAll(async () => {
    slow = await ServiceWorld.open({ bodyTimeoutMs: 400 })
  })
  afterAll(() => slow.close())

  it('refuses any operation’s body if it arrives too slowly, and moves nothing', async () => {
    const { apiKey, client } = await slow.project()
    await slow.user('alice')
    const body = '{"amount":"1000","gamertag":"alice","description":""'
    await Promise.all(
      Object.values(operations)
        .filter((operation: Operation) => operation.body)
        .map(async ({ verb, path }) => {
          const head = `${verb} ${pathOf(path)} HTTP/1.1\r\nHost: x\r\napikey: ${apiKey}\r\nContent-Length: 1000\r\n\r\n`
          const answer = await drip(head + body)
          expect(answer).toMatch(/^HTTP\/1\.1 408 /)
          const { code } = JSON.parse(answer.split('\r\n\r\n')[1] ?? '')
          noteAnswer(verb, pathOf(path), 408, code)
        }),
    )
    expect((await client.getWallet()).data.balance).toBe(sats(100_000))
    expect(await slow.service.parts.database.read.entry.count()).toBe(1)
  })

  it('refuses headers that never end', async () => {
    await Promise.all(
      Object.values(operations).map(async ({ verb, path }) => {
        const answer = await drip(`${verb} ${pathOf(path)} HTTP/1.1\r\nHost: x\r\nx: `)
        noteAnswer(verb, pathOf(path), 408, JSON.parse(answer.split('\r\n\r\n')[1] ?? '').code)
      }),
    )
    const answers = await Promise.all(['GET /v0/wal', ''].map((first) => drip(first)))
    for (const answer of answers) expect(answer).toMatch(/^(HTTP\/1\.1 4\d\d |$)/)
    expect((await slow.raw('GET', '/health')).status).toBe(200)
  })
})

describe.each(Object.values(operations))('$name', ({ verb, path }) => {
  /** Resolves to the answer to a request with these headers, written on a bare connection. */
  async function exchange(headers: string): Promise<{ status: number; code: string }> {
    const { hostname, port } = new URL(world.url)
    const answer = await new Promise<string>((resolve) => {
      let text = ''
      const socket = connect(Number(port), hostname, () =>
        socket.write(`${verb} ${pathOf(path)} HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n`),
      )
      socket.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      socket.on('close', () => resolve(text))
    })
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    const { success, message, code } = JSON.parse(body)
    expect([success, message]).toEqual([false, expect.stringMatching(/\w/)])
    const status = Number(head.split(' ')[1])
    noteAnswer(verb, pathOf(path), status, code)
    return { status, code }
  }

  it('400, 417, 431: refuses malformed headers, an Expect header and oversized headers', async () => {
    expect(await exchange('no header at all')).toEqual({ status: 400, code: 'malformed_request' })
    expect(await exchange('Expect: a miracle')).toEqual({ status: 417, code: 'expectation_failed' })
    expect(await exchange(`X-Big: ${'x'.repeat(20_000)}`)).toEqual({ status: 431, code: 'headers_too_large' })
  })
})

it('404 unknown_route: refuses an unknown path', async () => {
  expectRefusal(await world.raw('GET', '/v0/nothing', { apiKey: project.apiKey }), 404, 'unknown_route')
  expectRefusal(await world.raw('GET', '/v1/wallet', { apiKey: project.apiKey }), 404, 'unknown_route')
})

it('the service reads a body without Content-Type as JSON', async () => {
  const body = JSON.stringify({ amount: '1000', gamertag: 'alice', description: '' })
  const { hostname, port } = new URL(world.url)
  const answer = await new Promise<string>((resolve) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(
        `POST /v0/gamertag/send-payment HTTP/1.1\r\nHost: x\r\napikey: ${project.apiKey}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      ),
    )
    socket.once('data', (data) => {
      socket.destroy()
      resolve(String(data))
    })
  })
  expect(answer).toContain('200 OK')
})

it('the service treats hostile strings as text', async () => {
  for (const description of ['\'; DROP TABLE "Account"; --', '🤷‍♀️', '<script>', '\u202e', '__proto__']) {
    const body = { amount: '1', gamertag: 'alice', description }
    const answer = await world.raw('POST', '/v0/gamertag/send-payment', { apiKey: project.apiKey, body })
    expect(answer.json.data.comment).toBe(description)
  }
  for (const gamertag of ["'; DROP", 'алиса', 'a', 'x'.repeat(31), '../wallet', '__proto__ ']) {
    const body = { amount: '1', gamertag, description: '' }
    expectRefusal(
      await world.raw('POST', '/v0/gamertag/send-payment', { apiKey: project.apiKey, body }),
      400,
      'invalid_field',
    )
  }
})

it('the service answers GET /health', async () => {
  expect((await world.raw('GET', '/health')).json).toMatchObject({ status: 'ok' })
})

/** The codes of refusals that need an operation's fields, time, or a failing machine; other files test these codes. */
const ELSEWHERE: readonly string[] = [
  'missing_field',
  'invalid_field',
  'idempotency_key_expired',
  'still_running',
  'nothing_sent',
  'not_offered',
  'internal',
]

it.each(Object.values(operations))('$name returns each refusal that all operations share', (operation: Operation) => {
  const promises = sharedRefusals(operation).filter((code) => !ELSEWHERE.includes(code))
  expect(missing(operation, promises)).toEqual([])
})
