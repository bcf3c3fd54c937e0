import { connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../../src/lib/clock.ts'
import { listen } from '../../../src/lib/http/http-listen.ts'
import {
  createHttpServer,
  HttpProblem,
  type HttpServerOptions,
  requestLogger,
} from '../../../src/lib/http/http-server.ts'
import { createLogger, silentLogger } from '../../../src/lib/logger.ts'

const open: FastifyInstance[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((app) => app.close()))
})

async function start(options: Partial<HttpServerOptions> = {}, routes: (app: FastifyInstance) => void = () => {}) {
  const app = createHttpServer({ logger: silentLogger, ...options })
  open.push(app)
  app.post('/echo', async (request) => ({ body: request.body ?? null }))
  app.get('/things/:id', async (request) => request.params)
  app.delete('/things/:id', async () => ({}))
  app.get('/refuse', async () => {
    throw new HttpProblem(429, 'rate_limited', 'Wait a minute.', { 'retry-after': '60' })
  })
  routes(app)
  const url = await listen(app, 0)
  return { app, url, port: Number(new URL(url).port) }
}

/** Resolves to everything that a client receives after it has written `text` on a bare connection. */
function rawExchange(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    let answer = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => (answer += chunk))
    socket.on('close', () => resolve(answer))
    socket.on('error', (error) => (answer ? resolve(answer) : reject(error)))
  })
}

async function expectProblem(response: Response, status: number, code: string) {
  const body = await response.json()
  expect({ status: response.status, body }).toEqual({
    status,
    body: { success: false, message: expect.stringMatching(/\w{3}/), code },
  })
  expect(response.headers.get('content-type')).toContain('application/json')
  return body as { message: string }
}

function post(url: string, body: string, type: string | null = 'application/json') {
  // A Buffer, because fetch would add text/plain to a string by itself.
  return fetch(`${url}/echo`, {
    method: 'POST',
    body: Buffer.from(body),
    headers: type ? { 'content-type': type } : {},
  })
}

describe('a request’s body', () => {
  it.each(['application/json', 'application/json; charset=utf-8', 'application/problem+json', null])(
    'is read as JSON if its Content-Type is %s',
    async (type) => {
      const { url } = await start()
      expect(await (await post(url, '{"a":[1,"ß"]}', type)).json()).toEqual({ body: { a: [1, 'ß'] } })
    },
  )

  it.each(['application/json', null, 'text/plain'])('counts as absent if it is empty (type: %s)', async (type) => {
    const { url } = await start()
    expect(await (await post(url, '', type)).json()).toEqual({ body: null })
  })

  it.each(['{', '{"a":1,}', 'hello', '\u0000', '"\u0001"', '{"a":1}{', 'NaN', '\uFEFF'])(
    'is refused as invalid JSON if it is %j',
    async (body) => {
      const { url } = await start()
      await expectProblem(await post(url, body), 400, 'invalid_json')
      await expectProblem(await post(url, body, null), 400, 'invalid_json')
    },
  )

  it.each([
    '{"__proto__":{"admin":true}}',
    '{"a":{"\\u005f_proto__":1}}',
    '[{"constructor":{"prototype":{"admin":true}}}]',
  ])('is refused if it could change a prototype: %s', async (body) => {
    const { url } = await start()
    await expectProblem(await post(url, body), 400, 'invalid_json')
  })

  it('is refused as invalid JSON if it is nested 30,000 levels deep', async () => {
    const { url } = await start()
    await expectProblem(await post(url, '['.repeat(30_000)), 400, 'invalid_json')
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonish', 'nonsense'])(
    'is refused if its Content-Type is %s',
    async (type) => {
      const { url } = await start()
      await expectProblem(await post(url, '{}', type), 415, 'unsupported_media_type')
    },
  )

  it('is refused if it exceeds the size limit, with or without an announced length', async () => {
    const { url, port } = await start({ maxBodyBytes: 1_000 })
    expect((await post(url, JSON.stringify('x'.repeat(998)))).status).toBe(200)
    await expectProblem(await post(url, JSON.stringify('x'.repeat(999))), 413, 'body_too_large')
    const head = 'POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n'
    expect(await rawExchange(port, `${head}400\r\n${'x'.repeat(1_024)}\r\n`)).toContain('"code":"body_too_large"')
  })

  it('is refused with 413 if it is 10 megabytes long', async () => {
    const { port } = await start()
    const head = 'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 10000000\r\n\r\n'
    expect(await rawExchange(port, head + 'x'.repeat(10_000_000))).toMatch(/^HTTP\/1.1 413 .*body_too_large/s)
  })

  it('is refused with 408 if it does not fully arrive in time', async () => {
    const { port } = await start({ bodyTimeoutMs: 60 })
    const head = 'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{"a'
    const answer = await rawExchange(port, head)
    expect(answer).toMatch(/^HTTP\/1.1 408 Request Timeout/)
    expect(answer).toContain('{"success":false,"message":"The request took too long to arrive; try again.",')
  })

  it('is not awaited if the headers take too long, and the answer is 408', async () => {
    const { port } = await start({ bodyTimeoutMs: 60 })
    expect(await rawExchange(port, 'POST /echo HTTP/1.1\r\nHost: x\r\nX-Slow: ')).toMatch(/^HTTP\/1.1 408 /)
  })
})

describe('the server', () => {
  it('answers 404 for an unknown path, as a page for browsers and as JSON otherwise', async () => {
    const { url } = await start()
    await expectProblem(await fetch(`${url}/nothing?x=1`), 404, 'unknown_route')
    const page = await fetch(`${url}/nothing`, { headers: { accept: 'text/html,*/*;q=0.8' } })
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(await page.text()).toContain('There is nothing at this address. Check its path.')
    await expectProblem(await fetch(`${url}/nothing`, { method: 'POST', body: '{}' }), 404, 'unknown_route')
    const { message } = await expectProblem(await fetch(`${url}/${'x'.repeat(5_000)}`), 404, 'unknown_route')
    expect(message.length).toBeLessThan(200)
  })

  it('answers 405 with the permitted methods if only the method is wrong', async () => {
    const { url } = await start()
    const response = await fetch(`${url}/things/7?x=1`, { method: 'PUT', body: '{}' })
    expect(response.headers.get('allow')).toBe('DELETE, GET, HEAD')
    await expectProblem(response, 405, 'wrong_verb')
    await expectProblem(await fetch(`${url}/echo`), 405, 'wrong_verb')
    await expectProblem(await fetch(`${url}/echo`, { method: 'OPTIONS' }), 405, 'wrong_verb')
    await expectProblem(await fetch(`${url}/echo`, { method: 'PROPFIND' }), 405, 'wrong_verb')
  })

  it('refuses path parameters that are malformed or too long', async () => {
    const { url } = await start()
    await expectProblem(await fetch(`${url}/things/%E0%A4%A`), 400, 'malformed_url')
    await expectProblem(await fetch(`${url}/things/%zz`), 400, 'malformed_url')
    await expectProblem(await fetch(`${url}/things/${'x'.repeat(3_000)}`), 414, 'url_too_long')
  })

  it('decodes path parameters exactly once', async () => {
    const { url } = await start()
    expect(await (await fetch(`${url}/things/a%2Fb%2525`)).json()).toEqual({ id: 'a/b%25' })
  })

  it('answers 431 to oversized headers and 400 to malformed or ambiguous requests', async () => {
    const { port } = await start()
    const huge = `GET /things/1 HTTP/1.1\r\nHost: x\r\nX-Big: ${'x'.repeat(20_000)}\r\n\r\n`
    expect(await rawExchange(port, huge)).toMatch(/^HTTP\/1.1 431 .*"code":"headers_too_large"/s)
    expect(await rawExchange(port, 'hello\r\n\r\n')).toMatch(/^HTTP\/1.1 400 .*"code":"malformed_request"/s)
    const smuggled =
      'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'
    expect(await rawExchange(port, smuggled)).toMatch(/^HTTP\/1.1 400 /)
  })

  it('answers 417 if an Expect header asks for anything but 100-continue', async () => {
    const { port } = await start()
    const expecting = (what: string) =>
      rawExchange(
        port,
        `POST /echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: ${what}\r\nContent-Length: 2\r\n\r\n{}`,
      )
    expect(await expecting('a miracle')).toMatch(/^HTTP\/1.1 417 .*"success":false.*"code":"expectation_failed"/s)
    expect(await expecting('100-continue')).toMatch(/^HTTP\/1.1 100 .*HTTP\/1.1 200 /s)
  })

  it('serves a request without a Host header', async () => {
    const { port } = await start()
    const answer = await rawExchange(port, 'GET /things/7 HTTP/1.1\r\nConnection: close\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1.1 200 /)
  })
})

describe('the address of a caller', () => {
  const invented = '198.51.100.1, 203.0.113.9'
  const asked = async (trustProxy: HttpServerOptions['trustProxy'], forwarded = invented) => {
    const { url } = await start(trustProxy === undefined ? {} : { trustProxy }, (app) => {
      app.get('/ip', async (request) => ({ ip: request.ip }))
    })
    const answer = await fetch(`${url}/ip`, { headers: { 'x-forwarded-for': forwarded } })
    return ((await answer.json()) as { ip: string }).ip
  }

  it('is the connection’s unless the proxy is trusted', async () => {
    expect(await asked(undefined)).toBe('127.0.0.1')
    expect(await asked(false)).toBe('127.0.0.1')
    expect(await asked('10.0.0.0/8')).toBe('127.0.0.1')
  })

  it('is the one that the nearest proxy saw, not one that the caller wrote', async () => {
    expect(await asked(true)).toBe('203.0.113.9')
    expect(await asked('127.0.0.1')).toBe('203.0.113.9')
    expect(await asked('127.0.0.1', '203.0.113.9')).toBe('203.0.113.9')
  })

  it.each([
    ['198.51.100.2:40000', '198.51.100.2'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['203.0.113.9, [2001:db8::1]', '2001:db8::1'],
    ['unknown', '127.0.0.1'],
  ])('has no port or brackets if X-Forwarded-For is %j', async (forwarded, address) => {
    expect(await asked(true, forwarded)).toBe(address)
    expect(await asked('127.0.0.1', forwarded)).toBe(address)
  })

  it('is the one that the first of several trusted proxies saw', async () => {
    expect(await asked('127.0.0.1,203.0.113.0/24')).toBe('198.51.100.1')
  })
})

describe('an error thrown by a handler', () => {
  it('becomes the answer if it is an HttpProblem', async () => {
    const { url } = await start()
    const response = await fetch(`${url}/refuse`)
    expect(response.headers.get('retry-after')).toBe('60')
    expect(await expectProblem(response, 429, 'rate_limited')).toMatchObject({ message: 'Wait a minute.' })
  })

  it('is answered with 500 and a reference to its log line if it is a bug', async () => {
    const lines: string[] = []
    const logger = createLogger({ level: 'info', name: 'x', destination: { write: (line) => void lines.push(line) } })
    const { url } = await start({ logger }, (app) => {
      app.get('/bug', async () => {
        throw new Error('the database is at 10.1.2.3')
      })
      app.get('/odd', async () => {
        throw { statusCode: 'teapot' }
      })
      app.get('/says', async (request) => {
        requestLogger(request).info('said')
        return { id: request.id }
      })
    })
    const response = await fetch(`${url}/bug?secret=hush`)
    const reference = response.headers.get('x-request-id') ?? ''
    const { message } = await expectProblem(response, 500, 'internal')
    expect(message).toContain(reference)
    expect(message).not.toContain('10.1.2.3')
    const line = JSON.parse(lines.at(-1) ?? '')
    expect(line).toMatchObject({ level: 'error', request: reference, err: { message: 'the database is at 10.1.2.3' } })
    expect(lines.join()).not.toContain('hush')
    await expectProblem(await fetch(`${url}/odd`), 500, 'internal')
    const { id } = (await (await fetch(`${url}/says`)).json()) as { id: string }
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ msg: 'said', request: id })
  })
})

describe('a server that closes', () => {
  it('finishes running requests and closes idle connections', async () => {
    let finish = () => {}
    let begun = () => {}
    const running = new Promise<void>((resolve) => (begun = resolve))
    const { app, url } = await start({}, (it) => {
      it.get('/slow', () => {
        begun()
        return new Promise((resolve) => (finish = () => resolve({ done: true })))
      })
    })
    await (await fetch(`${url}/things/1`)).text()
    const slow = fetch(`${url}/slow`)
    await running
    const closed = app.close()
    finish()
    expect(await (await slow).json()).toEqual({ done: true })
    await closed
    await expect(fetch(`${url}/things/1`)).rejects.toThrow()
  })

  it('aborts requests that do not finish in time', async () => {
    let begun = () => {}
    const running = new Promise<void>((resolve) => (begun = resolve))
    const { app, url } = await start({ closeTimeoutMs: 30, clock: systemClock }, (it) => {
      it.get('/never', () => {
        begun()
        return new Promise(() => {})
      })
    })
    const never = fetch(`${url}/never`).catch((error: Error) => error)
    await running
    await app.close()
    expect(await never).toBeInstanceOf(Error)
  })
})
