import { Agent, request } from 'undici'
import type { Clock } from '../../lib/clock.ts'
import { FetchFailed } from '../../lib/http/outgoing-error.ts'
import { USER_AGENT } from '../../lib/http/user-agent.ts'

/** The maximum size of an answer, and of a line in a stream. */
const MAX_BYTES = 8 * 1024 * 1024
const CONNECT_TIMEOUT_MS = 5_000

export interface NodeHttpOptions {
  /** The node's address, without a trailing slash. */
  readonly baseUrl: string
  /**
   * A certificate in PEM; undefined to trust the system's certificates. Only a server that presents this certificate,
   * or one that it issued, is trusted.
   */
  readonly ca?: string | undefined
  readonly clock: Clock
}

export interface NodeRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** The path, including the query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The time limit for the whole request, and for a whole stream. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

export interface NodeResponse {
  readonly status: number
  readonly body: string
}

/**
 * The connections to the operator's own node. Unlike the guarded fetch, they may lead to any address in the
 * configuration. As with the guarded fetch, no redirect is followed, no compression is accepted, and time and size are
 * limited. Each request is sent only once.
 */
export interface NodeHttp {
  /**
   * Sends a request, and resolves to the answer, whatever its status. Throws FetchFailed if no whole answer came; if
   * its `sent` is false, nothing reached the node.
   */
  ask(request: NodeRequest): Promise<NodeResponse>
  /**
   * Yields an answer's lines as they come, each with the answer's status. If the stream breaks, yields the whole lines
   * that have come, and then throws FetchFailed. Ends without an error when the node ends the stream, or the signal
   * aborts.
   */
  lines(request: NodeRequest): AsyncGenerator<NodeResponse>
  /** Closes all connections immediately. */
  close(): Promise<void>
}

export function createNodeHttp({ baseUrl, ca, clock }: NodeHttpOptions): NodeHttp {
  const connect = { allowH2: false, timeout: CONNECT_TIMEOUT_MS, keepAliveInitialDelay: 10_000 }
  const agent = new Agent({
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    connections: 64,
    connect: ca === undefined ? connect : { ...connect, ca },
  })
  async function* chunks(asked: NodeRequest): AsyncGenerator<NodeResponse> {
    const { method, path, headers = {}, body, timeoutMs, signal } = asked
    const stop = new AbortController()
    const late = () =>
      stop.abort(new FetchFailed('timeout', `the node gave no complete answer within ${timeoutMs} ms`, true))
    const cancel = clock.after(timeoutMs, late)
    const abort = () => stop.abort(new FetchFailed('aborted', 'the request was aborted', true))
    signal?.addEventListener('abort', abort)
    try {
      if (signal?.aborted) abort()
      const response = await request(baseUrl + path, {
        dispatcher: agent,
        method,
        headers: { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': USER_AGENT, ...headers },
        body: body ?? null,
        signal: stop.signal,
      })
      const decoder = new TextDecoder()
      for await (const chunk of response.body) {
        yield { status: response.statusCode, body: decoder.decode(chunk, { stream: true }) }
      }
      yield { status: response.statusCode, body: decoder.decode() }
    } catch (error) {
      throw explain(error, stop.signal)
    } finally {
      cancel()
      signal?.removeEventListener('abort', abort)
    }
  }
  return {
    async ask(asked) {
      let answer: NodeResponse = { status: 0, body: '' }
      for await (const { status, body } of chunks(asked)) answer = { status, body: bounded(answer.body + body) }
      return answer
    },
    async *lines(asked) {
      let [rest, status] = ['', 0]
      try {
        for await (const chunk of chunks(asked)) {
          status = chunk.status
          const lines = bounded(rest + chunk.body).split('\n')
          rest = lines.pop() ?? ''
          for (const body of lines) if (body.trim() !== '') yield { status, body }
        }
      } catch (error) {
        if (asked.signal?.aborted) return
        throw error
      }
      // A last line without a line end counts, if the stream ended in order.
      if (rest.trim() !== '') yield { status, body: rest }
    },
    close: () => agent.destroy(),
  }
}

function bounded(text: string): string {
  if (text.length <= MAX_BYTES) return text
  throw new FetchFailed('too-large', `the node's answer is longer than ${MAX_BYTES} bytes`, true)
}

function explain(error: unknown, stopped: AbortSignal): FetchFailed {
  if (error instanceof FetchFailed) return error
  if (stopped.aborted && stopped.reason instanceof FetchFailed) return stopped.reason
  const { code = '', message = String(error) } = error as { code?: string; message?: string }
  if (TLS_ERROR.test(code)) return new FetchFailed('tls', message, false, error)
  if (CONNECT_ERROR.test(code)) return new FetchFailed('connect', message || code, false, error)
  return new FetchFailed('broken', `the connection broke: ${message || code}`, true, error)
}

/** The codes of errors while connecting, before a byte of the request is written. */
const TLS_ERROR = /^ERR_TLS_CERT|CERT|SELF_SIGNED|UNABLE_TO/
const CONNECT_ERROR =
  /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/
