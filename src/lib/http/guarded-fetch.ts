import type { IncomingHttpHeaders } from 'node:http'
import type { Agent, Dispatcher } from 'undici'
import { type Clock, systemClock } from '../clock.ts'
import { Busy, limitPerCaller } from '../concurrency-per-caller.ts'
import { createGuardedAgent } from './guarded-connection.ts'
import { FetchFailed, FetchRefused, type OutgoingError } from './outgoing-error.ts'
import { readOutgoingUrl } from './outgoing-url.ts'
import { lookingUp, type Resolve } from './resolve-name.ts'
import { USER_AGENT } from './user-agent.ts'

export { FetchFailed, FetchRefused, OutgoingError } from './outgoing-error.ts'

export interface GuardedFetchOptions {
  /** Whether http and https to loopback are permitted, too, for development on one machine. */
  allowLoopback: boolean
  clock?: Clock
  /**
   * Whether a request may go to an otherwise permitted address. This is also checked for each redirect. Default: always
   * true.
   */
  mayAsk?: (url: URL) => boolean
  /** Resolves names. Default: `createResolver`. */
  resolve?: Resolve
}

export interface OutgoingRequest {
  method?: 'GET' | 'HEAD' | 'POST'
  headers?: Readonly<Record<string, string>>
  body?: string | Buffer
  /** The time limit for everything: resolving, connecting, redirects, the whole body. Default: 5 s. */
  timeoutMs?: number
  /** The length in bytes of the longest body that is accepted. Default: 64 KiB. */
  maxBytes?: number
  /** Whether the status is the whole answer: `body` stays empty, and everything after the head is ignored. */
  statusOnly?: boolean
  signal?: AbortSignal
}

export interface OutgoingResponse {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

export interface GuardedFetch {
  /**
   * Sends a request to a server that a stranger named. Throws FetchRefused for a forbidden address, and FetchFailed if
   * no usable answer came. Both errors say whether anything was sent. A status such as 400 or 500 counts as an answer.
   * A GET or HEAD follows up to three redirects, each checked again; a POST follows none and returns the 3xx.
   */
  (url: string, request?: OutgoingRequest): Promise<OutgoingResponse>
  /**
   * Returns a fetch function for one caller (a project, a user, a member), who can have a few requests under way
   * simultaneously. Further requests throw FetchFailed `busy`, and send nothing.
   */
  for(caller: string): (url: string, request?: OutgoingRequest) => Promise<OutgoingResponse>
  /** Closes all connections. Running requests fail. */
  close(): Promise<void>
}

/**
 * Creates the function through which all requests go to addresses from others (callbacks, Lightning Addresses, LNURL):
 * https only, public addresses only, limited in time and size, never compressed.
 */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const { clock = systemClock } = options
  const agent = createGuardedAgent(options.allowLoopback, options.resolve)
  const guardedFetch = async (url: string, request: OutgoingRequest = {}, caller?: string) => {
    const attempt = new Attempt(agent, request)
    const timeoutMs = request.timeoutMs ?? 5_000
    const cancelTimer = clock.after(timeoutMs, () => attempt.stop('timeout', `no whole answer in ${timeoutMs} ms`))
    const onAbort = () => attempt.stop('aborted', 'the request was cancelled')
    request.signal?.addEventListener('abort', onAbort)
    try {
      if (request.signal?.aborted) onAbort()
      const { signal } = attempt
      return await lookingUp.run({ caller, signal }, () => follow(url, request, attempt, options))
    } finally {
      cancelTimer()
      request.signal?.removeEventListener('abort', onAbort)
    }
  }
  return Object.assign(guardedFetch, { for: shareOut(guardedFetch), close: () => agent.destroy() })
}

/** The most simultaneous requests of one caller, so that nobody can occupy all connections. */
const MAX_CONCURRENT_PER_CALLER = 8
const BUSY = `${MAX_CONCURRENT_PER_CALLER} requests are under way already; try again when one of them has ended`

type FetchFor = (url: string, request?: OutgoingRequest, caller?: string) => Promise<OutgoingResponse>

function shareOut(fetch: FetchFor): GuardedFetch['for'] {
  const share = limitPerCaller({ each: MAX_CONCURRENT_PER_CALLER, all: Number.POSITIVE_INFINITY })
  return (caller) => (url, request) =>
    share(caller, () => fetch(url, request, caller)).catch((error: unknown) => {
      throw error instanceof Busy ? new FetchFailed('busy', BUSY, false) : error
    })
}

const MAX_REDIRECTS = 3
const REDIRECTS = new Set([301, 302, 303, 307, 308])

async function follow(url: string, request: OutgoingRequest, attempt: Attempt, options: GuardedFetchOptions) {
  const { allowLoopback, mayAsk = () => true } = options
  const { method = 'GET' } = request
  let headers = request.headers ?? {}
  let target = readOutgoingUrl(url, allowLoopback)
  for (let redirects = 0; ; redirects += 1) {
    if (!mayAsk(target)) throw new FetchRefused('address', `${target.host} must not be called from here`, attempt.sent)
    const response = await attempt.ask(target, method, headers)
    const { location } = response.headers
    if (method === 'POST' || !REDIRECTS.has(response.status) || location === undefined) return response
    if (redirects === MAX_REDIRECTS) {
      throw new FetchRefused('redirects', `more than ${MAX_REDIRECTS} redirects from ${target.host}`, attempt.sent)
    }
    const next = readOutgoingUrl(location, allowLoopback, { base: target, sent: attempt.sent })
    // A header for one server (a key, for example) is not sent to another.
    if (next.origin !== target.origin) headers = {}
    target = next
  }
}

/**
 * One outgoing request with its redirects: whether anything was sent, and the means to stop the request at any moment.
 */
class Attempt {
  sent = false
  readonly #agent: Agent
  readonly #ending = new AbortController()
  readonly #request: OutgoingRequest
  #controller: Dispatcher.DispatchController | undefined
  #stopped: FetchFailed | undefined
  #reject: (error: OutgoingError) => void = () => {}

  constructor(agent: Agent, request: OutgoingRequest) {
    this.#agent = agent
    this.#request = request
  }

  /** Returns a signal that aborts when the request is stopped, so that whatever still waits can end. */
  get signal(): AbortSignal {
    return this.#ending.signal
  }

  stop(reason: 'timeout' | 'aborted' | 'too-large' | 'compressed', message: string): void {
    this.#stopped ??= new FetchFailed(reason, message, this.sent)
    this.#controller?.abort(this.#stopped)
    this.#reject(this.#stopped)
    this.#ending.abort()
  }

  ask(url: URL, method: 'GET' | 'HEAD' | 'POST', headers: Readonly<Record<string, string>>): Promise<OutgoingResponse> {
    if (this.#stopped !== undefined) return Promise.reject(this.#stopped)
    const options: Dispatcher.DispatchOptions = {
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers: { accept: 'application/json', 'user-agent': USER_AGENT, ...headers, 'accept-encoding': 'identity' },
      body: this.#request.body ?? null,
    }
    return new Promise((resolve, reject) => {
      this.#reject = reject
      try {
        this.#agent.dispatch(options, this.#handler(url, resolve))
      } catch (error) {
        reject(new FetchFailed('malformed', `this request cannot be sent: ${String(error)}`, this.sent, error))
      }
    })
  }

  #handler(url: URL, resolve: (response: OutgoingResponse) => void): Dispatcher.DispatchHandler {
    const { maxBytes = 64 * 1024, statusOnly = false } = this.#request
    const tooLarge = () => this.stop('too-large', `the answer of ${url.host} is longer than ${maxBytes} bytes`)
    const response: OutgoingResponse = { status: 0, headers: {}, body: Buffer.alloc(0) }
    const chunks: Buffer[] = []
    let length = 0
    return {
      onRequestStart: (controller) => {
        this.#controller = controller
        if (this.#stopped !== undefined) controller.abort(this.#stopped)
        else this.sent = true
      },
      onResponseStart: (_controller, status, headers) => {
        response.status = status
        response.headers = headers
        if (statusOnly) {
          // From here on every end is a success. An interim answer (1xx) is not an end.
          if (status >= 200) this.#reject = () => resolve(response)
          return
        }
        const encoding = headers['content-encoding']
        if (encoding !== undefined && encoding !== 'identity') {
          this.stop('compressed', `${url.host} answers with a compression that was not asked for`)
        } else if (Number(headers['content-length']) > maxBytes && this.#request.method !== 'HEAD') tooLarge()
      },
      onResponseData: (_controller, chunk) => {
        length += chunk.length
        if (length > maxBytes) tooLarge()
        else if (!statusOnly) chunks.push(chunk)
      },
      onResponseEnd: () => {
        response.body = Buffer.concat(chunks)
        resolve(response)
      },
      onResponseError: (_controller, error) => this.#reject(this.#stopped ?? this.#explain(error, url)),
    }
  }

  #explain(error: Error, url: URL): OutgoingError {
    if (error instanceof FetchRefused) return new FetchRefused(error.reason, error.message, this.sent)
    if (error instanceof FetchFailed) return new FetchFailed(error.reason, error.message, this.sent, error.cause)
    const code = 'code' in error ? String(error.code) : error.name
    const message = `${url.host}: ${error.message || code}`
    if (code.startsWith('UND_ERR_INVALID_ARG')) return new FetchFailed('malformed', message, this.sent, error)
    if (TLS_ERROR.test(code)) return new FetchFailed('tls', message, this.sent, error)
    return new FetchFailed(CONNECT_ERROR.test(code) ? 'connect' : 'broken', message, this.sent, error)
  }
}

const TLS_ERROR = /^ERR_TLS|^ERR_SSL|CERT|SELF_SIGNED|UNABLE_TO|EPROTO/
const CONNECT_ERROR =
  /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|AggregateError)$/
