import {
  type ApiAnswer,
  type CallOptions,
  hostOf,
  type Line,
  type OutgoingCall,
  type PreparedOperation,
  perform,
  prepare,
  type Reading,
} from './call.ts'
import { followStream, type StreamEvent, type StreamOptions } from './event-stream.ts'
import { NoHttpAnswer, neverConnected, type ProvingCodes, type RawHttpAnswer, reasonOf } from './outcomes.ts'

export interface ClientOptions {
  /** The server's address, such as `https://pay.example.com`. It may have a path. */
  readonly baseUrl: string
  /** The second host of the payments interface, if a provider has one. */
  readonly altBaseUrl?: string
  readonly apiKey: string
  /** The time limit of one attempt, from connecting to reading the answer. Default: 20 s. */
  readonly timeoutMs?: number
  /**
   * Whether a POST with an Idempotency-Key may be sent again. Satchel carries it out once, and replays the answer. Set
   * this to `false` for another provider that does not promise this. Default: `true`.
   */
  readonly replaysKeys?: boolean
  /** Waits for this many milliseconds between attempts. Default: a timer. */
  readonly pause?: (milliseconds: number) => Promise<void>
  /** Sends requests. Default: `fetch`. It must not repeat a request by itself. */
  readonly fetch?: typeof fetch
}

/** An operation, as a generated file describes it. */
export interface OperationOfApi extends PreparedOperation {
  /** The fields that the answer must have. An `amount` must be a string of digits. */
  readonly needs: Readonly<Record<string, 'there' | 'amount'>>
}

/** The facts about a whole API. */
export interface ApiFacts {
  readonly authorization: (apiKey: string) => Readonly<Record<string, string>>
  /** Whether the API wraps answers in `data`, beside a message. */
  readonly hasEnvelope: boolean
  readonly provingCodes: ProvingCodes
}

const DEFAULT_TIMEOUT_MS = 20_000

/** The base of both clients: it sends requests, repeats them if that is harmless, and judges the answers. */
export abstract class ApiClient {
  readonly #line: Omit<Line, 'read'>
  readonly #fetch: typeof fetch
  readonly #hasEnvelope: boolean

  /** Throws TypeError if an address or the key is not valid. */
  constructor(options: ClientOptions, api: ApiFacts) {
    const { baseUrl, altBaseUrl = baseUrl, apiKey, replaysKeys = true, timeoutMs = DEFAULT_TIMEOUT_MS } = options
    if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new TypeError('the API key is empty or has unprintable characters')
    this.#fetch = options.fetch ?? fetch
    this.#hasEnvelope = api.hasEnvelope
    this.#line = {
      hosts: { base: hostOf(baseUrl), alt: hostOf(altBaseUrl) },
      authorization: api.authorization(apiKey),
      provingCodes: api.provingCodes,
      send: (call) => sendByFetch(this.#fetch, timeoutMs, call),
      now: () => Date.now(),
      pause: options.pause ?? pause,
      replaysKeys: () => replaysKeys,
    }
  }

  protected async call<Data>(operation: OperationOfApi, input: object, options: CallOptions): Promise<ApiAnswer<Data>> {
    const read = (_name: string, body: unknown) => this.#read(operation, body)
    return (await perform({ ...this.#line, read }, operation, input, options)) as ApiAnswer<Data>
  }

  protected stream<Data>(
    operation: OperationOfApi,
    input: object,
    options: StreamOptions,
  ): AsyncGenerator<StreamEvent<Data>, void, undefined> {
    const { origin, path, headers } = prepare(this.#line, operation, input, {})
    return followStream({ ...this.#line, operation: operation.facts.name }, options, (more, signal) =>
      this.#fetch(origin + path, {
        headers: { ...headers, ...more, accept: 'text/event-stream' },
        redirect: 'manual',
        signal,
      }),
    )
  }

  #read({ needs }: OperationOfApi, body: unknown): Reading {
    const problem = (what: string) => ({ problem: `the answer's ${what}` })
    if (typeof body !== 'object' || body === null) return problem('body is not an object')
    const { data, message = null } = this.#hasEnvelope ? (body as Record<string, unknown>) : { data: body }
    if (data === undefined || data === null) return problem('data is missing')
    for (const [field, need] of Object.entries(needs)) {
      const value = (data as Record<string, unknown>)[field]
      if (value === undefined || value === null || value === '') return problem(`data.${field} is missing`)
      if (need === 'amount' && !(typeof value === 'string' && /^\d{1,19}$/.test(value)))
        return problem(`data.${field} is not an amount: a string of decimal digits`)
    }
    return { data, message: typeof message === 'string' ? message : null }
  }
}

async function sendByFetch(send: typeof fetch, timeoutMs: number, call: OutgoingCall): Promise<RawHttpAnswer> {
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const response = await send(call.origin + call.path, {
      method: call.method,
      headers: { ...call.headers },
      ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
      redirect: 'manual',
      signal,
    })
    const body = await response.text()
    return { status: response.status, headers: Object.fromEntries(response.headers), body }
  } catch (error) {
    if (signal.aborted) throw new NoHttpAnswer(`no answer within ${timeoutMs} ms`, true, error)
    const { cause = error } = error as { cause?: unknown }
    throw new NoHttpAnswer(reasonOf(cause), !neverConnected(cause), cause)
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
