import type { Dispatcher } from 'undici'
import { NoHttpAnswer, neverConnected, type RawHttpAnswer, reasonOf } from '../../clients/typescript/src/outcomes.ts'
import type { Clock } from '../lib/clock.ts'
import { USER_AGENT } from '../lib/http/user-agent.ts'

/**
 * One HTTP request, with limits on its time and on the size of its answer. It is never repeated, and no redirect is
 * followed.
 */
export interface Exchange {
  readonly dispatcher: Dispatcher
  readonly clock: Clock
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly origin: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string | undefined
  /** The time limit, from the beginning of the connection to the last byte of the answer. */
  readonly timeoutMs: number
  readonly maxBodyBytes: number
}

/** Performs the exchange and resolves to the whole answer. Throws only `NoHttpAnswer`. */
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
      // Undici may repeat a request only if it is idempotent. Ours must never be repeated without our knowledge.
      idempotent: false,
      // Our own time limit, on the injected clock, is the only one.
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
