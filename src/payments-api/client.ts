import { Agent, type Dispatcher } from 'undici'
import {
  type ApiAnswer,
  type CallOptions,
  hostOf,
  type Line,
  type OutgoingCall,
  parseJson,
  perform,
  type Reading,
} from '../../clients/typescript/src/call.ts'
import { NoHttpAnswer, type RawHttpAnswer } from '../../clients/typescript/src/outcomes.ts'
import { type Clock, pause } from '../lib/clock.ts'
import { exchange } from './exchange.ts'
import type { BodyOf, DataOf, HeadersOf, Operation, ParamsOf, QueryOf } from './operation.ts'
import { type OperationName, type Operations, operations } from './operations.ts'
import { fingerprint } from './provider.ts'
import { provingCodes } from './refusals.ts'
import { redactBody, redactHeaders, type WireEvent } from './wire-log.ts'

export type { ApiAnswer, CallOptions } from '../../clients/typescript/src/call.ts'

export interface PaymentsClientOptions {
  /**
   * The provider's address, such as `https://api.example.com`. If it contains a path, the paths of all requests are
   * appended to that path.
   */
  readonly baseUrl: string
  /** The address of the interface's second host. Default: `baseUrl`. */
  readonly altBaseUrl?: string | undefined
  readonly apiKey: string
  readonly clock: Clock
  /** The time limit for one attempt, including connecting and reading. */
  readonly timeoutMs?: number
  readonly maxBodyBytes?: number
  /**
   * Returns whether the provider is known to replay the answer to an Idempotency-Key (see `probeReplay`). This function
   * is called before a request is sent and at every failure. A POST is repeated only if all these calls return true.
   */
  readonly replaysKeys?: () => boolean
  /** Receives everything that is sent and received, with secrets hidden. Must not throw. */
  readonly observe?: (event: WireEvent) => void
  /** The caller's own dispatcher. It must not retry or follow redirects, and the caller closes it. */
  readonly dispatcher?: Dispatcher
}

/** A call's input: path parameters, query, headers and body fields together. */
export type InputOf<Op extends Operation> = ParamsOf<Op> & QueryOf<Op> & HeadersOf<Op> & BodyOf<Op>

type NoFields = Record<never, never>
type Call<Op extends Operation> =
  NoFields extends InputOf<Op>
    ? (input?: InputOf<Op>, options?: CallOptions) => Promise<ApiAnswer<DataOf<Op>>>
    : (input: InputOf<Op>, options?: CallOptions) => Promise<ApiAnswer<DataOf<Op>>>

/**
 * Every operation as a method: `client.getWallet()`, `client.payToGamertag({ amount, gamertag, description }, {
 * idempotencyKey })`. Amounts are `Msats`, times `Date | null`, absent texts null. On any failure, every method throws
 * `PaymentsError` and nothing else.
 *
 * The TypeScript client (clients/typescript) makes calls, repeats them if that is harmless, and judges the answers.
 * This file adds our clock, our connections, and the lenient reading of any provider.
 */
export type PaymentsClient = { readonly [Name in OperationName]: Call<Operations[Name]> } & {
  /**
   * An identifier of this provider and this API key, which does not reveal the key. A request is repeated under its
   * Idempotency-Key only if this identifier is unchanged, and a record is read only if the identifier's
   * `providerAddress` is unchanged.
   */
  readonly provider: string
  close(): Promise<void>
}

const DEFAULT_TIMEOUT_MS = 20_000
const DEFAULT_MAX_BODY_BYTES = 1_048_576

/** Creates the client of a provider of the payments interface. Close the client when done. */
export function createPaymentsClient(options: PaymentsClientOptions): PaymentsClient {
  const { apiKey, clock } = options
  if (!/^[\x20-\x7e]+$/.test(apiKey))
    throw new TypeError('the API key is empty, or has characters other than printable ASCII: copy the key again')
  const base = hostOf(options.baseUrl)
  // One request at a time on a connection, and HTTP/1.1 only: a request that is not pipelined is never repeated
  // automatically.
  const dispatcher = options.dispatcher ?? new Agent({ pipelining: 1, allowH2: false, connections: 64 })
  const line: Line = {
    hosts: { base, alt: options.altBaseUrl === undefined ? base : hostOf(options.altBaseUrl) },
    authorization: { apikey: apiKey },
    provingCodes,
    send: observed(options, (call) => send(options, dispatcher, call)),
    read,
    now: () => clock.now(),
    pause: (milliseconds) => pause(clock, milliseconds),
    replaysKeys: () => options.replaysKeys?.() === true,
  }
  const calls = Object.values<Operation>(operations).map((operation) => {
    const query = Object.keys(operation.query?.shape ?? {})
    const headers = Object.keys(operation.headers?.shape ?? {})
    const prepared = { facts: operation, query, headers, hasBody: operation.body !== undefined }
    return [operation.name, (input: object = {}, call: CallOptions = {}) => perform(line, prepared, input, call)]
  })
  const client = {
    ...Object.fromEntries(calls),
    provider: fingerprint(base, apiKey),
    close: async () => {
      if (options.dispatcher === undefined) await dispatcher.close()
    },
  }
  return client as PaymentsClient
}

function send(options: PaymentsClientOptions, dispatcher: Dispatcher, call: OutgoingCall): Promise<RawHttpAnswer> {
  return exchange({
    ...{ dispatcher, clock: options.clock, origin: call.origin, path: call.path },
    method: call.method,
    headers: { ...call.headers },
    body: call.body === undefined ? undefined : JSON.stringify(call.body),
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    maxBodyBytes: options.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES,
  })
}

/**
 * Returns a function that sends like `sendIt`, and also reports each call and its answer to the observer, if there is
 * one.
 */
function observed({ observe, clock }: PaymentsClientOptions, sendIt: Line['send']): Line['send'] {
  if (observe === undefined) return sendIt
  let exchanges = 0
  return async (call) => {
    exchanges += 1
    const about = { exchange: exchanges, operation: call.operation }
    const operation = operations[call.operation as OperationName]
    const [url, headers] = [call.origin + call.path, redactHeaders(call.headers)]
    observe({ kind: 'call', ...about, method: call.method, url, headers, body: redactBody(operation, call.body) })
    const start = clock.monotonic()
    try {
      const { status, ...answer } = await sendIt(call)
      const json = parseJson(answer.body)
      const body = json === undefined ? answer.body.slice(0, 200) : redactBody(operation, json)
      const tookMs = clock.monotonic() - start
      observe({ kind: 'answer', ...about, status, headers: redactHeaders(answer.headers), body, tookMs })
      return { status, ...answer }
    } catch (error) {
      if (!(error instanceof NoHttpAnswer)) throw error
      observe({ kind: 'no answer', ...about, reason: error.message, tookMs: clock.monotonic() - start })
      throw error
    }
  }
}

/** Reads a successful answer of any provider according to the fields of the operation. */
function read(operation: string, body: unknown): Reading {
  const parsed = operations[operation as OperationName].response.read.safeParse(body)
  if (parsed.success) {
    const { data, message = null } = parsed.data as { data: unknown; message?: string | null }
    return { data, message }
  }
  const [issue] = parsed.error.issues
  const problem = `the answer's ${issue?.path.join('.') || 'body'} ${issue?.message ?? 'cannot be read'}`
  return { problem, cause: parsed.error }
}
