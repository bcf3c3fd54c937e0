import { connect, type Socket } from 'node:net'
import { beforeAll, describe, expect } from 'vitest'
import { slowdown } from '../world/slowdown.ts'
import { attack, blockedAfterMs, installed, type Project } from './installation.ts'

/** Attackers send traffic that no client sends: bytes on a bare connection. */
const world = installed()
let project: Project

beforeAll(async () => {
  project = await world().project()
})

/**
 * Sends bytes, and resolves to everything that comes back until the server ends the connection or falls silent for a
 * while.
 */
function send(bytes: string): Promise<string> {
  return exchange(700 * slowdown(), (socket) => socket.end(bytes, 'latin1'))
}

/** Sends bytes and leaves our side open: a server abandons an unfinished answer when its client has ended its side. */
function ask(bytes: string, quietMs = 700 * slowdown()): Promise<string> {
  return exchange(quietMs, (socket) => socket.write(bytes, 'latin1'))
}

function exchange(quietMs: number, begin: (socket: Socket) => void): Promise<string> {
  const { port } = new URL(world().url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.1', () => begin(socket))
    let answer = ''
    socket.setTimeout(quietMs, () => socket.destroy())
    socket.setEncoding('latin1')
    socket.on('data', (chunk) => (answer += chunk))
    socket.on('error', () => socket.destroy())
    socket.on('close', () => resolve(answer))
  })
}

const heads = (answer: string) => [...answer.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status))

const host = () => new URL(world().url).host

describe('request smuggling', () => {
  const hidden = () =>
    `GET /v0/wallet HTTP/1.1\r\nHost: ${host()}\r\nConnection: close\r\napikey: ${project.apiKey}\r\n\r\n`

  const first = (headers: string, body: string) =>
    `POST /v0/decode-invoice HTTP/1.1\r\nHost: ${host()}\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}`

  attack('a second request hidden in the body of the first in nine ways', 'it is never served', async () => {
    for (const [name, bytes] of Object.entries({
      'both lengths': first(`Content-Length: 6\r\nTransfer-Encoding: chunked`, `0\r\n\r\n${hidden()}`),
      'two lengths': first('Content-Length: 0\r\nContent-Length: 4', hidden()),
      'lengths in one header': first('Content-Length: 0, 4', hidden()),
      'a signed length': first('Content-Length: +0', hidden()),
      'an unknown encoding': first('Transfer-Encoding: xchunked', `0\r\n\r\n${hidden()}`),
      'a space before the colon': first('Transfer-Encoding : chunked', `0\r\n\r\n${hidden()}`),
      'two encodings': first('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', `0\r\n\r\n${hidden()}`),
      'a bare line feed': first('X: y\nTransfer-Encoding: chunked', `0\r\n\r\n${hidden()}`),
      'a folded header': first('X: y\r\n Transfer-Encoding: chunked', `0\r\n\r\n${hidden()}`),
    })) {
      const answer = await ask(bytes)
      expect(answer, name).not.toContain('"balance"')
      for (const status of heads(answer)) expect(status, name).toBeGreaterThanOrEqual(400)
    }
    // The same request is served if it stands alone.
    expect(await ask(hidden(), blockedAfterMs())).toContain('"balance"')
  })

  attack('line breaks in addresses and headers', 'none adds a header to the answer', async () => {
    for (const path of [
      '/v0/x%0d%0aset-cookie:%20a=b',
      '/wallet/%0d%0aset-cookie:%20a=b',
      '/lnurlp/%0d%0aset-cookie:a=b',
    ]) {
      const answer = await ask(`GET ${path} HTTP/1.1\r\nHost: ${host()}\r\nConnection: close\r\n\r\n`)
      expect(answer.split('\r\n\r\n')[0], path).not.toMatch(/^set-cookie: ?a=b/im)
    }
  })

  attack('a foreign Host header and X-Forwarded headers', 'no link in an answer leads there', async () => {
    const forged = 'Host: evil.example\r\nX-Forwarded-Host: evil.example\r\nForwarded: host=evil.example\r\n'
    for (const path of ['/.well-known/lnurlp/victim', '/wallet', '/wallet/signed-out', '/openapi.json', '/']) {
      const answer = await ask(`GET ${path} HTTP/1.1\r\n${forged}Connection: close\r\n\r\n`)
      expect(answer, path).not.toContain('evil.example')
    }
  })
})

describe('invalid requests', () => {
  attack('broken, oversized and odd requests', 'each is refused, and the next is served', async () => {
    for (const bytes of [
      '\0\0\0\0',
      'GET\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      `GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: x\r\n${'X: y\r\n'.repeat(20_000)}\r\n`,
      `GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(100_000)}\r\n\r\n`,
      'CONNECT 169.254.169.254:80 HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET http://169.254.169.254/latest/meta-data/ HTTP/1.1\r\nHost: x\r\n\r\n',
      'TRACE / HTTP/1.1\r\nHost: x\r\nCookie: wallet=secret\r\n\r\n',
      '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    ]) {
      const answer = await send(bytes)
      expect(
        heads(answer).every((status) => status >= 400),
        bytes.slice(0, 30),
      ).toBe(true)
      expect(answer).not.toContain('secret')
      expect((await world().ask('/health')).status).toBe(200)
    }
  })

  attack('200 silent connections', 'other callers are answered meanwhile', async () => {
    const { port } = new URL(world().url)
    const silent = Array.from({ length: 200 }, () => connect(Number(port), '127.0.0.1'))
    for (const socket of silent) socket.on('error', () => undefined).write('POST /v0/decode-invoice HTTP/1.1\r\n')
    const started = performance.now()
    expect((await world().ask('/v0/wallet', { apiKey: project.apiKey })).status).toBe(200)
    expect(performance.now() - started).toBeLessThan(blockedAfterMs())
    for (const socket of silent) socket.destroy()
  })
})

describe('the web server', () => {
  attack('callbacks that are forged, huge or sent to guessed tokens', 'none is believed', async () => {
    const { callbacksUrl } = world()
    for (const token of ['x', '../status', '%00', 'a'.repeat(64), "' OR 1=1 --"]) {
      const body = { id: 'x', status: 'completed', amount: '100000000' }
      const answer = await world().ask(`${callbacksUrl}/callbacks/${encodeURIComponent(token)}`, { body })
      expect([401, 404], token).toContain(answer.status)
    }
    const huge = await world().ask(`${callbacksUrl}/callbacks/x`, { method: 'POST', body: 'a'.repeat(1_000_000) })
    expect([401, 404, 413]).toContain(huge.status)
  })

  attack('a search of the public pages', 'they reveal no secret and forbid sniffing', async () => {
    const { callbacksUrl, seeded } = world()
    const paths = ['/status', '/status.json', `/api/v1/servers/${seeded.serverId}/drops`, '/api/v1/openapi.json']
    for (const path of paths) {
      const answer = await world().ask(callbacksUrl + path)
      expect(answer.status, path).toBe(200)
      expect(answer.headers.get('x-content-type-options'), path).toBe('nosniff')
      expect(answer.text, path).not.toMatch(/callbacks\/[0-9a-f]|apikey|satchel_|lnbc|"answer"/i)
    }
    expect((await world().ask(`${callbacksUrl}/api/v1/servers/123456789012345678/drops`)).status).toBe(404)
  })
})
