import type { Chance } from './chance.ts'
import type { Timeline } from './timeline.ts'
import type { Trace } from './trace.ts'

/** A server's answer. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What the network does to one exchange. */
export type Fate =
  | 'delivered'
  /** A refused connection: nothing was sent. */
  | 'refused'
  /** A name that does not resolve: nothing was sent. */
  | 'no-address'
  /** A lost request, whose sender waits. */
  | 'request-lost'
  /** A connection that breaks before the request arrives, or after it has. */
  | 'broken-before'
  | 'broken-after'
  /** A lost answer to a request that has arrived. */
  | 'answer-lost'
  /** A request that arrives twice, of which only the second answer returns. */
  | 'twice'
  /** An answer from a proxy instead of the server, before the request arrives, or after it has. */
  | 'proxy-before'
  | 'proxy-after'
  /** Half of an answer, after which the connection breaks. */
  | 'half'

const TROUBLE: Readonly<Record<Exclude<Fate, 'delivered'>, number>> = {
  refused: 3,
  'no-address': 1,
  'request-lost': 2,
  'broken-before': 2,
  'broken-after': 3,
  'answer-lost': 4,
  twice: 4,
  'proxy-before': 1,
  'proxy-after': 2,
  half: 2,
}

/** The error of an exchange that failed on the network; `code` and `syscall` are what the system would report. */
export class NetworkError extends Error {
  readonly code: string
  readonly syscall: string

  constructor(message: string, code: string, syscall: string) {
    super(message)
    this.code = code
    this.syscall = syscall
  }
}

export function refused(): NetworkError {
  return new NetworkError('connect ECONNREFUSED', 'ECONNREFUSED', 'connect')
}

export function broken(): NetworkError {
  return new NetworkError('read ECONNRESET', 'ECONNRESET', 'read')
}

/**
 * Throws the error of a repeated request whose first copy has arrived: a network error becomes a broken connection,
 * since it can no longer be said that nothing was sent.
 */
function afterTheFirst(error: unknown): never {
  throw error instanceof NetworkError ? broken() : error
}

export interface Exchange {
  /** The exchange's description in the trace. */
  readonly what: string
  /** The request's body; undefined without one. */
  readonly body?: string | undefined
  /** Whether the interface promises that repeating the request is harmless. */
  readonly repeatable: boolean
  readonly signal?: AbortSignal | undefined
  /** Delivers the request to the server. Rejects with the network's error. */
  readonly deliver: () => Promise<Reply>
}

/** A planned fate of one exchange, so that a test need not wait for a rare moment. */
export interface Incident {
  /** The beginning of the exchange's description; `within` is a part of its body. */
  readonly what: string
  readonly within: string
  readonly fate?: Fate
  /** Makes something happen elsewhere while the request is on its way. */
  readonly meanwhile?: () => Promise<unknown>
}

const PROXY_PAGE: Reply = {
  status: 502,
  headers: { 'content-type': 'text/html' },
  body: '<html><body><h1>502 Bad Gateway</h1></body></html>',
}

/** The network between bot, service and everybody else: it drops, delays, repeats, reorders, breaks and garbles. */
export class Network {
  /** The network's roughness, from 0 (perfect) to 1 (every exchange is disturbed). */
  trouble = 0
  readonly #timeline: Timeline
  readonly #trace: Trace
  readonly #chance: Chance
  readonly #incidents = new Set<Incident>()

  constructor(timeline: Timeline, trace: Trace, chance: Chance) {
    this.#timeline = timeline
    this.#trace = trace
    this.#chance = chance
  }

  /** Plans an incident for the next exchange of this kind. The returned function cancels it. */
  expect(incident: Incident): () => void {
    this.#incidents.add(incident)
    return () => void this.#incidents.delete(incident)
  }

  /**
   * Carries an exchange; resolves to the server's answer. Rejects with the network's error, or with the signal's
   * reason.
   */
  carry(exchange: Exchange): Promise<Reply> {
    const { signal } = exchange
    if (signal === undefined) return this.#travel(exchange)
    return new Promise((resolve, reject) => {
      const stop = () => reject(signal.reason)
      if (signal.aborted) stop()
      signal.addEventListener('abort', stop, { once: true })
      this.#travel(exchange).then(resolve, reject)
    })
  }

  /** Returns a signal that aborts after this much of the world's time. */
  timeLimit(ms: number): AbortSignal {
    const abort = new AbortController()
    this.#timeline.after(ms, () => abort.abort(new Error(`no answer within ${ms} ms`)))
    return abort.signal
  }

  async #travel({ what, body, repeatable, deliver }: Exchange): Promise<Reply> {
    const incident = this.#incidentOf(what, body)
    const fate = incident?.fate ?? this.#fate()
    if (fate !== 'delivered') this.#trace.note(`network: ${fate} ${what}`)
    if (fate === 'refused') throw refused()
    if (fate === 'no-address') throw new NetworkError('getaddrinfo EAI_AGAIN', 'EAI_AGAIN', 'getaddrinfo')
    if (fate === 'request-lost') return new Promise(() => undefined)
    await this.#delay()
    await incident?.meanwhile?.()
    if (fate === 'broken-before') throw broken()
    if (fate === 'proxy-before') return PROXY_PAGE
    const first = deliver()
    if (fate === 'twice' && repeatable) {
      // A repeated request comes again after its answer; otherwise it may still be under way.
      const answered = first.catch(() => undefined)
      await (incident === undefined ? this.#delay() : answered)
    }
    const reply = await (fate === 'twice' && repeatable ? deliver().catch(afterTheFirst) : first)
    await this.#delay()
    if (fate === 'broken-after') throw broken()
    if (fate === 'answer-lost') return new Promise(() => undefined)
    if (fate === 'proxy-after') return PROXY_PAGE
    if (fate === 'half') return { ...reply, body: reply.body.slice(0, reply.body.length / 2) }
    return reply
  }

  #incidentOf(what: string, body = ''): Incident | undefined {
    for (const incident of this.#incidents) {
      if (!what.startsWith(incident.what) || !body.includes(incident.within)) continue
      this.#incidents.delete(incident)
      return incident
    }
    return undefined
  }

  #fate(): Fate {
    return this.#chance.happens(this.trouble) ? this.#chance.weighted(TROUBLE) : 'delivered'
  }

  /** Waits for a random delay: mostly none, and now and then longer than anybody waits for an answer. */
  async #delay(): Promise<void> {
    const ms = this.#chance.happens(this.trouble * 2) ? 2 ** this.#chance.between(0, 15) : 0
    if (ms > 0) await new Promise<void>((resolve) => this.#timeline.after(ms, resolve))
  }
}
