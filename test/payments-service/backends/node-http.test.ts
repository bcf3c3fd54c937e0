import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../../src/lib/clock.ts'
import { createNodeHttp, type NodeHttp } from '../../../src/payments-service/backends/node-http.ts'
import { ONE_CERTIFICATE, OTHER_CERTIFICATE } from '../../support/certificates.ts'
import { ManualClock } from '../../support/manual-clock.ts'

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void, tls = false) {
  const server: Server = tls ? createTlsServer(ONE_CERTIFICATE, answer) : createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push({
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  })
  return `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function client(baseUrl: string, options: { ca?: string; clock?: ManualClock } = {}): NodeHttp {
  const http = createNodeHttp({ baseUrl, clock: systemClock, ...options })
  open.push(http)
  return http
}

const get = { method: 'GET', path: '/', timeoutMs: 30_000 } as const

describe('the connection to a node', () => {
  it('sends the request and accepts any status as an answer', async () => {
    const url = await serve((request, response) => {
      request.setEncoding('utf8').on('data', (body) => {
        response.writeHead(418).end(`${request.method} ${request.url} ${request.headers.rune} ${body}`)
      })
    })
    const asked = { ...get, method: 'POST', path: '/v1/pay?x=1', headers: { rune: 'secret' }, body: '{}' } as const
    expect(await client(url).ask(asked)).toEqual({ status: 418, body: 'POST /v1/pay?x=1 secret {}' })
  })

  it('accepts only the holder of the given certificate', async () => {
    const url = await serve((_, response) => response.end('hello'), true)
    expect(await client(url, { ca: ONE_CERTIFICATE.cert }).ask(get)).toEqual({ status: 200, body: 'hello' })
    const wrong = client(url, { ca: OTHER_CERTIFICATE.cert }).ask(get)
    await expect(wrong).rejects.toMatchObject({ name: 'FetchFailed', reason: 'tls', sent: false })
    await expect(client(url).ask(get)).rejects.toMatchObject({ reason: 'tls', sent: false })
  })

  it('reports that nothing was sent if no program listens', async () => {
    await expect(client('http://127.0.0.1:1').ask(get)).rejects.toMatchObject({ reason: 'connect', sent: false })
  })

  it('reports that the request was sent if the answer breaks off', async () => {
    const url = await serve((request, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half', () => request.socket.destroy())
    })
    await expect(client(url).ask(get)).rejects.toMatchObject({ reason: 'broken', sent: true })
  })

  it('waits no longer than its time limit', async () => {
    const clock = new ManualClock()
    const asked = Promise.withResolvers<void>()
    const url = await serve(() => asked.resolve())
    const answer = client(url, { clock }).ask({ ...get, timeoutMs: 5_000 })
    const end = expect(answer).rejects.toMatchObject({ reason: 'timeout', sent: true })
    await asked.promise
    await clock.advance(5_000)
    await end
  })

  it('stops reading an endless answer', async () => {
    const url = await serve((_, response) => {
      const more = () => void response.write('x'.repeat(1_000_000), more)
      more()
    })
    await expect(client(url).ask(get)).rejects.toMatchObject({ reason: 'too-large' })
  })

  it('follows no redirect', async () => {
    const url = await serve((_, response) => response.writeHead(307, { location: '/elsewhere' }).end())
    expect(await client(url).ask(get)).toMatchObject({ status: 307 })
  })
})

describe('a stream of lines', () => {
  it('yields each line once it is complete, across chunks and at the end', async () => {
    const url = await serve((_, response) => {
      response.write('{"a":1}\n{"b"')
      setImmediate(() => response.end(':"ü"}\n\nlast'))
    })
    const lines: string[] = []
    for await (const line of client(url).lines(get)) lines.push(line.body)
    expect(lines).toEqual(['{"a":1}', '{"b":"ü"}', 'last'])
  })

  it('throws after the complete lines if it breaks off in the middle of a line', async () => {
    const url = await serve((request, response) => {
      response.write('whole\nhal', () => request.socket.destroy())
    })
    const lines: string[] = []
    const read = async () => {
      for await (const line of client(url).lines(get)) lines.push(line.body)
    }
    await expect(read()).rejects.toMatchObject({ reason: 'broken' })
    expect(lines).toEqual(['whole'])
  })

  it('closes the connection when its reader stops', async () => {
    const gone = Promise.withResolvers<void>()
    const url = await serve((request, response) => {
      request.socket.on('close', () => gone.resolve())
      response.write('one\n')
    })
    const stop = new AbortController()
    const lines: string[] = []
    for await (const line of client(url).lines({ ...get, signal: stop.signal })) {
      lines.push(line.body)
      stop.abort()
    }
    await gone.promise
    expect(lines).toEqual(['one'])
  })
})
