import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { createGuardedFetch, type GuardedFetch, type GuardedFetchOptions } from '../../../src/lib/http/guarded-fetch.ts'
import { ManualClock } from '../../support/manual-clock.ts'

const open: Array<Server | GuardedFetch> = []
afterEach(async () => {
  for (const thing of open.splice(0)) {
    if ('closeAllConnections' in thing) thing.closeAllConnections()
    await thing.close()
  }
})

/** Starts a server on loopback that records its requests. */
async function server(answer: RequestListener = (_request, response) => response.end('{}')) {
  const asked: Array<{ line: string; headers: Record<string, unknown>; body: string }> = []
  const sockets = { count: 0 }
  const http = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    asked.push({ line: `${request.method} ${request.url}`, headers: request.headers, body })
    answer(request, response)
  })
  http.on('connection', () => (sockets.count += 1))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  open.push(http)
  return { asked, sockets, port: (http.address() as AddressInfo).port }
}

function guarded(options: Partial<GuardedFetchOptions> = {}): GuardedFetch {
  const fetch = createGuardedFetch({ allowLoopback: true, ...options })
  open.push(fetch)
  return fetch
}

describe('a permitted request', () => {
  it('yields the status, headers and body even of a 404 answer', async () => {
    const { port, asked } = await server((_request, response) =>
      response.writeHead(404, { 'x-why': 'gone' }).end('{"status":"ERROR"}'),
    )
    const response = await guarded()(`http://127.0.0.1:${port}/a?b=c#d`, { headers: { 'x-key': 'k' } })
    expect(response).toMatchObject({ status: 404, headers: { 'x-why': 'gone' } })
    expect(response.body.toString()).toBe('{"status":"ERROR"}')
    expect(asked).toMatchObject([{ line: 'GET /a?b=c', headers: { 'x-key': 'k', 'accept-encoding': 'identity' } }])
  })

  it('can be a POST with a body', async () => {
    const { port, asked } = await server()
    await guarded()(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{"a":1}' })
    expect(asked).toMatchObject([{ line: 'POST /', body: '{"a":1}' }])
  })
})

describe('a guarded fetch refuses', () => {
  const refused: Array<[string, string]> = [
    ['not a url', 'not-a-url'],
    ['', 'not-a-url'],
    ['http://example.com/', 'scheme'],
    ['http://127.0.0.1/', 'scheme'],
    ['ftp://example.com/', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['data:text/plain,hi', 'scheme'],
    ['https://user:pass@example.com/', 'credentials'],
    ['https://example.com@127.0.0.1/', 'credentials'],
    ['https://example.com:22/', 'port'],
    ['https://example.com:6667/', 'port'],
    ['https://example.com:80/', 'port'],
    ['https://127.0.0.1/', 'address'],
    ['https://127.1/', 'address'],
    ['https://2130706433/', 'address'],
    ['https://0x7f000001/', 'address'],
    ['https://0177.0.0.1/', 'address'],
    ['https://127.0.0.1./', 'address'],
    ['https://①②⑦.0.0.1/', 'address'],
    ['https://0/', 'address'],
    ['https://[::1]/', 'address'],
    ['https://[::]/', 'address'],
    ['https://[::ffff:127.0.0.1]/', 'address'],
    ['https://[64:ff9b::7f00:1]/', 'address'],
    ['https://169.254.169.254/latest/meta-data', 'address'],
    ['https://10.0.0.1:8443/', 'address'],
  ]
  it.each(refused)('the URL “%s” (reason: %s)', async (url, reason) => {
    const fetch = guarded({ allowLoopback: false })
    await expect(fetch(url)).rejects.toMatchObject({ name: 'FetchRefused', reason, sent: false })
  })

  it.each(['127.0.0.1', '10.0.0.1', '::1', '::ffff:127.0.0.1', 'fe80::1'])(
    'a host name that resolves to %s',
    async (address) => {
      const { sockets, port } = await server()
      const fetch = guarded({ allowLoopback: false, resolve: async () => [address] })
      await expect(fetch(`https://wallet.example:${port}/`)).rejects.toMatchObject({ reason: 'address', sent: false })
      await expect(fetch(`https://localhost.:${port}/`)).rejects.toMatchObject({ reason: 'address', sent: false })
      expect(sockets.count).toBe(0)
    },
  )

  it('private addresses and plain http outside loopback, even if loopback is allowed', async () => {
    const fetch = guarded({ resolve: async () => ['10.0.0.1', '192.168.0.1'] })
    await expect(fetch('https://wallet.example/')).rejects.toMatchObject({ reason: 'address' })
    await expect(fetch('http://1.1.1.1/')).rejects.toMatchObject({ reason: 'address' })
    const outside = guarded({ resolve: async () => ['1.1.1.1'] })
    await expect(outside('http://wallet.example/')).rejects.toMatchObject({ reason: 'address' })
  })
})

describe('host names', () => {
  it('are resolved once per request, so only a checked address is contacted', async () => {
    const { port, asked } = await server()
    const answers = [['10.0.0.1', '127.0.0.1'], ['10.0.0.1']]
    const names: string[] = []
    const resolve = async (name: string) => {
      names.push(name)
      return answers.shift() ?? []
    }
    const response = await guarded({ resolve })(`http://rebinding.example:${port}/`)
    expect(response.status).toBe(200)
    expect(asked).toMatchObject([{ headers: { host: `rebinding.example:${port}` } }])
    expect(names).toEqual(['rebinding.example'])
    const second = guarded({ resolve })(`http://rebinding.example:${port}/`)
    await expect(second).rejects.toMatchObject({ reason: 'address', sent: false })
  })

  it('cause a DNS error if they do not resolve', async () => {
    const resolve = () => Promise.reject(new Error('ENOTFOUND'))
    await expect(guarded({ resolve })('https://nowhere.example/')).rejects.toMatchObject({
      name: 'FetchFailed',
      reason: 'dns',
      sent: false,
    })
  })
})

describe('redirects', () => {
  const redirect = (location: string, status = 302): RequestListener => {
    return (request, response) =>
      request.url === '/end' ? response.end('"end"') : response.writeHead(status, { location }).end()
  }

  it.each([301, 302, 303, 307, 308])('of a GET are followed (status %i)', async (status) => {
    const { port, asked } = await server(redirect('/end', status))
    const response = await guarded()(`http://127.0.0.1:${port}/start`, { headers: { 'x-key': 'k' } })
    expect(response.body.toString()).toBe('"end"')
    expect(asked).toMatchObject([{ line: 'GET /start' }, { line: 'GET /end', headers: { 'x-key': 'k' } }])
  })

  it('keep the User-Agent, which is Satchel’s unless the caller sets another', async () => {
    const { port, asked } = await server(redirect('/end'))
    const agents = () => asked.map(({ headers }) => headers['user-agent'])
    await guarded()(`http://127.0.0.1:${port}/start`)
    await guarded()(`http://127.0.0.1:${port}/end`, { headers: { 'user-agent': 'Own/1' } })
    expect(agents()).toEqual(['Satchel (Lightning wallet)', 'Satchel (Lightning wallet)', 'Own/1'])
  })

  it('to another server do not carry the caller’s headers', async () => {
    const other = await server()
    const { port } = await server(redirect(`http://127.0.0.1:${other.port}/end`))
    await guarded()(`http://127.0.0.1:${port}/start`, { headers: { 'x-key': 'k' } })
    expect(other.asked).toHaveLength(1)
    expect(other.asked[0]?.headers).not.toHaveProperty('x-key')
  })

  it('are followed only to addresses that mayAsk permits', async () => {
    const other = await server()
    const { port } = await server(redirect(`http://127.0.0.1:${other.port}/end`))
    const own = guarded({ mayAsk: (url) => url.port === String(port) })
    await expect(own(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ reason: 'address', sent: true })
    await expect(own(`http://127.0.0.1:${other.port}/`)).rejects.toMatchObject({ reason: 'address', sent: false })
    expect(other.asked).toEqual([])
  })

  it.each([
    ['https://10.0.0.1/', 'address'],
    ['http://1.1.1.1/', 'address'],
    ['//169.254.169.254/', 'address'],
    ['file:///etc/passwd', 'scheme'],
    ['http://a:b@127.0.0.1/', 'credentials'],
    ['http://[', 'not-a-url'],
  ])('to %s are refused', async (location, reason) => {
    const { port } = await server(redirect(location))
    await expect(guarded()(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ reason, sent: true })
  })

  it('are followed at most three times', async () => {
    const { port, asked } = await server(redirect('/again'))
    await expect(guarded()(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ reason: 'redirects', sent: true })
    expect(asked).toHaveLength(4)
  })

  it('of a POST are returned to the caller instead of being followed', async () => {
    const { port, asked } = await server(redirect('/end', 307))
    expect((await guarded()(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'x' })).status).toBe(307)
    expect(asked).toHaveLength(1)
  })
})

describe('a guarded fetch', () => {
  it.each([true, false])('fails if the answer exceeds the size limit (length announced: %s)', async (announced) => {
    const { port } = await server((_request, response) => {
      if (announced) response.setHeader('content-length', 1_001)
      response.write('x'.repeat(600))
      response.end('x'.repeat(401))
    })
    const fetch = guarded()
    await expect(fetch(`http://127.0.0.1:${port}/`, { maxBytes: 1_000 })).rejects.toMatchObject({
      reason: 'too-large',
      sent: true,
    })
    expect((await fetch(`http://127.0.0.1:${port}/`, { maxBytes: 1_001 })).body).toHaveLength(1_001)
  })

  it('fails if the server compresses its answer without being asked to', async () => {
    const { port } = await server((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('0'.repeat(1_000_000))),
    )
    await expect(guarded()(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ reason: 'compressed', sent: true })
  })

  it.each<[string, RequestListener]>([
    ['longer than allowed', (_request, response) => response.writeHead(201).end('x'.repeat(200_000))],
    ['compressed', (_request, response) => response.writeHead(201, { 'content-encoding': 'gzip' }).end('no gzip')],
    ['without an end', (_request, response) => response.writeHead(201).write('x')],
    ['cut off', (_request, response) => response.writeHead(201).write('x', () => response.socket?.destroy())],
    ['of a few words', (_request, response) => response.writeHead(201).end('fine')],
  ])('with statusOnly returns only the status of an answer %s', async (_what, answer) => {
    const { port } = await server(answer)
    const request = { method: 'POST', statusOnly: true, timeoutMs: 300 } as const
    const response = await guarded()(`http://127.0.0.1:${port}/`, request)
    expect([response.status, response.body.length]).toEqual([201, 0])
  })

  it('with statusOnly times out if only an interim answer arrives', async () => {
    const clock = new ManualClock()
    const { port } = await server((_request, response) => response.writeProcessing())
    const asked = guarded({ clock })(`http://127.0.0.1:${port}/`, { statusOnly: true, timeoutMs: 1_000 })
    await expect(clock.advanceUntil(asked)).rejects.toMatchObject({ reason: 'timeout', sent: true })
  })

  it('times out even if the answer is slowly dripping in', async () => {
    const clock = new ManualClock()
    const { port } = await server(async (_request, response) => {
      response.write('{')
      await clock.advance(1_000)
      response.write('"a"')
      await clock.advance(1_000)
    })
    const answer = guarded({ clock })(`http://127.0.0.1:${port}/`, { timeoutMs: 2_000 })
    await expect(answer).rejects.toMatchObject({ name: 'FetchFailed', reason: 'timeout', sent: true })
    expect(clock.pending).toBe(0)
  })

  it('times out and reports that nothing was sent if the resolver never answers', async () => {
    const clock = new ManualClock()
    const resolve = () => new Promise<string[]>(() => {})
    const answer = guarded({ clock, resolve })('https://slow.example/', { timeoutMs: 2_000 })
    await Promise.all([expect(answer).rejects.toMatchObject({ reason: 'timeout', sent: false }), clock.advance(2_000)])
  })

  it('opens no connection if its signal is already aborted', async () => {
    const { port, sockets } = await server()
    const answer = guarded()(`http://127.0.0.1:${port}/`, { signal: AbortSignal.abort() })
    await expect(answer).rejects.toMatchObject({ reason: 'aborted', sent: false })
    expect(sockets.count).toBe(0)
  })

  it('fails if its caller aborts it midway', async () => {
    const abort = new AbortController()
    const { port } = await server(() => abort.abort())
    const answer = guarded()(`http://127.0.0.1:${port}/`, { signal: abort.signal })
    await expect(answer).rejects.toMatchObject({ reason: 'aborted', sent: true })
  })
})

describe('a caller of fetch', () => {
  it('can have at most 8 open requests, which do not block other callers', async () => {
    const held: (() => void)[] = []
    const { port, asked } = await server((_request, response) => held.push(() => response.end('{}')))
    const fetch = guarded()
    const url = `http://127.0.0.1:${port}/`
    const first = Array.from({ length: 8 }, () => fetch.for('mallory')(url))
    await expect(fetch.for('mallory')(url)).rejects.toMatchObject({ reason: 'busy', sent: false })
    const other = fetch.for('alice')(url)
    while (held.length < 9) await new Promise((resolve) => setImmediate(resolve))
    for (const answer of held) answer()
    await Promise.all([...first, other])
    expect(asked).toHaveLength(9)
    const again = fetch.for('mallory')(url)
    while (held.length < 10) await new Promise((resolve) => setImmediate(resolve))
    held[9]?.()
    await expect(again).resolves.toMatchObject({ status: 200 })
  })
})

describe('a failed fetch', () => {
  it('reports that nothing was sent if the connection is refused', async () => {
    const { port } = await server()
    const closing = open.pop()
    await new Promise((resolve) => (closing as Server).close(resolve))
    await expect(guarded()(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ reason: 'connect', sent: false })
  })

  it('reports that nothing was sent if the TLS handshake fails', async () => {
    const { port, asked } = await server()
    await expect(guarded()(`https://127.0.0.1:${port}/`)).rejects.toMatchObject({ reason: 'tls', sent: false })
    expect(asked).toEqual([])
  })

  it('reports that something was sent if the server hangs up without answering', async () => {
    const { port } = await server((request) => request.socket.destroy())
    const answer = guarded()(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'x' })
    await expect(answer).rejects.toMatchObject({ name: 'FetchFailed', reason: 'broken', sent: true })
  })

  it('reports that nothing was sent if a header contains line breaks', async () => {
    const { port, sockets } = await server()
    const answer = guarded()(`http://127.0.0.1:${port}/`, { headers: { a: 'b\r\nc: d' } })
    await expect(answer).rejects.toMatchObject({ reason: 'malformed', sent: false })
    expect(sockets.count).toBe(0)
  })
})
