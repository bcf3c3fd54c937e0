import type { Dispatcher } from 'undici'
import type { Clock } from '../lib/clock.ts'
import { USER_AGENT } from '../lib/http/user-agent.ts'

/** One HTTP request and the whole of its answer, or why there is none. Nothing is sent twice and nothing is followed. */
export interface Exchange {
  readonly dispatcher: Dispatcher
  readonly clock: Clock
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly origin: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string | undefined
  /** From the first byte sent, connecting included, to the last one read. */
  readonly timeoutMs: number
  readonly maxBodyBytes: number
}

export interface RawHttpAnswer {
  readonly status: number
  /** By lower-case name; the first value where a header came twice. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** No whole answer came. `sent: false` only if it is certain that no byte of the request left. */
export class NoHttpAnswer extends Error {
  readonly sent: boolean

  constructor(message: string, sent: boolean, cause?: unknown) {
    super(message, { cause })
    this.sent = sent
  }
}

/** Performs the exchange. Throws `NoAnswer`, nothing else. */
export async function exchange(request: Exchange): Promise<RawHttpAnswer> {
  const abort = new AbortController()
  const stopTimer = request.clock.after(request.timeoutMs, () => abort.abort())
  try {
    const response = await request.dispatcher.request({
      origin: request.origin,
      path: request.path,
      method: request.method,
      headers: { 'user-agent': USER_AGENT, ...request.headers },
      body: request.body ?? null,
      signal: abort.signal,
      // Undici may send a request again only if it is idempotent; ours are never sent again behind our back.
      idempotent: false,
      // The one time limit is ours, on the clock that was handed in.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    const headers = firstValues(response.headers)
    const body = await readCapped(response.body, request.maxBodyBytes)
    return { status: response.statusCode, headers, body }
  } catch (error) {
    if (abort.signal.aborted) throw new NoHttpAnswer(`no answer within ${request.timeoutMs} ms`, true, error)
    throw new NoHttpAnswer(reasonOf(error), !neverConnected(error), error)
  } finally {
    stopTimer()
  }
}

async function readCapped(stream: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream) {
    bytes += chunk.length
    // Leaving the loop destroys the stream and with it the connection.
    if (bytes > maxBytes) throw new Error(`the answer is longer than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function firstValues(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value])
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

const connectFailures = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])

/** Whether the connection never came about. A reset does not count: it may have come after the request. */
function neverConnected(error: unknown): boolean {
  // Several addresses of one host were tried: all of them must have failed.
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(neverConnected)
  const { code, syscall } = error as { code?: unknown; syscall?: unknown }
  // The client's own words for: no connection in time, and: it was closed before the request began.
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'UND_ERR_CLOSED') return true
  return typeof code === 'string' && connectFailures.has(code) && (syscall === 'connect' || syscall === 'getaddrinfo')
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
