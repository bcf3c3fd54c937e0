import { connect, type Socket } from 'node:net'

/** The result of many requests. Rates and times cover only successful answers. */
export interface LoadResult {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly answers: number
  readonly failures: number
}

export interface LoadRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Returns a connection's next request, given the body of its last answer. Connections are numbered from 0. */
export type NextRequest = (connection: number, answer: string | undefined) => LoadRequest

/**
 * Sends requests over keep-alive connections for some seconds; each connection sends the next one after the last
 * answer. This is a lean client, because a library would take processor time from the service.
 */
export async function load(options: {
  readonly url: string
  readonly connections: number
  readonly seconds: number
  readonly next: NextRequest
}): Promise<LoadResult> {
  const { hostname, port } = new URL(options.url)
  const end = performance.now() + options.seconds * 1_000
  const lines = await Promise.all(
    Array.from({ length: options.connections }, (_, connection) => {
      const next = (answer: string | undefined) => options.next(connection, answer)
      return drive(connect(Number(port), hostname), next, end)
    }),
  )
  const times = lines.flatMap((line) => line.times).sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return {
    perSecond: times.length / options.seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    answers: times.length,
    failures: lines.reduce((sum, line) => sum + line.failures, 0),
  }
}

interface Line {
  readonly times: number[]
  failures: number
}

function drive(socket: Socket, next: (answer: string | undefined) => LoadRequest, end: number): Promise<Line> {
  const line: Line = { times: [], failures: 0 }
  socket.setNoDelay(true)
  return new Promise((resolve, reject) => {
    let began = 0
    let pending = ''
    const send = (answer: string | undefined) => {
      began = performance.now()
      if (began >= end) {
        socket.destroy()
        return resolve(line)
      }
      socket.write(format(next(answer)))
    }
    socket.setEncoding('latin1')
    socket.on('connect', () => send(undefined))
    socket.on('error', reject)
    socket.on('data', (chunk: string) => {
      pending += chunk
      const head = pending.indexOf('\r\n\r\n')
      if (head < 0) return
      const length = /content-length: (\d+)/i.exec(pending)?.[1]
      if (pending.length < head + 4 + Number(length ?? 0)) return
      if (/^HTTP\/1\.1 20[01] /.test(pending)) line.times.push(performance.now() - began)
      else line.failures += 1
      const answer = pending.slice(head + 4)
      pending = ''
      send(answer)
    })
  })
}

function format({ method, path, headers = {}, body = '' }: LoadRequest): string {
  let text = `${method} ${path} HTTP/1.1\r\nhost: bench\r\n`
  for (const name in headers) text += `${name}: ${headers[name]}\r\n`
  if (method === 'POST') text += `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
  return `${text}\r\n${body}`
}
