import type { Faults } from './faults.ts'
import type { Moment } from './moments.ts'
import type { Pauses } from './pauses.ts'

/** A request of the bot to its provider, as sent over the network. */
export interface WireRequest {
  readonly method: string
  readonly path: string
  readonly key: string | undefined
  readonly body: string | undefined
}

/** A request with an Idempotency-Key and the provider's answer to it, whether or not the bot received the answer. */
export interface Exchange {
  readonly path: string
  readonly key: string
  readonly text: string
  readonly body: Readonly<Record<string, unknown>>
  readonly first: Moment
  /** The body of a successful answer; undefined if there is none. */
  data: Readonly<Record<string, unknown>> | undefined
}

/** A request that failed, according to what the bot itself learned. */
export interface Failure {
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  readonly heard: Moment
  /** The status of the answer; undefined if no answer came. */
  readonly status: number | undefined
}

export const TO_GAMERTAG = '/v0/gamertag/send-payment'
const WALLET = '/v0/wallet'
export const TO_INVOICE = '/v0/payments'
export const CODE_TO_SCAN = '/v0/withdrawal-requests'
export const VOUCHER = '/v1/create-voucher'
export const REVOCATION = '/v0/revoke-voucher'
export const REDEMPTION = '/v0/redeem-voucher'

/**
 * The path of the request by which the bot learns whether the provider remembers keys; it moves no money. The bot sends
 * a different request with a used key: a provider that remembers the key answers with the refusal `REMEMBERED`, which
 * is not a failure.
 */
export const PROBE = '/v0/decode-invoice'
const REMEMBERED = 'idempotency_key_reused'

const LEAVES: readonly string[] = [TO_GAMERTAG, TO_INVOICE, CODE_TO_SCAN, VOUCHER]

/** Records the traffic between the bot and its provider, as seen on the network between the two. */
export class Wire {
  /** The failures, in the order in which the bot learned of them. */
  readonly failures: Failure[] = []
  readonly #exchanges = new Map<string, Exchange>()
  readonly #faults: Faults
  readonly #pauses: Pauses

  /** Whether the bot's book was restored and the wallet has not been read since. */
  #unproven = false

  constructor(faults: Faults, pauses: Pauses) {
    this.#faults = faults
    this.#pauses = pauses
  }

  /** Notes that the bot's book was restored from a backup: the bot must read the wallet before anything leaves. */
  restored(): void {
    this.#unproven = true
  }

  /** Notes that the bot sent a request. */
  sent({ method, path, key, body = '{}' }: WireRequest, at: Moment): void {
    if (method !== 'POST' || key === undefined) return
    if (this.#unproven && LEAVES.includes(path))
      this.#faults.add(`${path} is asked for with ${key} before the restored book was proven`)
    const before = this.#exchanges.get(key)
    if (before !== undefined) {
      const same = before.path === path && (before.text === body || path === PROBE)
      this.#faults.expect(same, () => `${key} is sent again as ${body}, and was ${before.text}`)
      return
    }
    this.#exchanges.set(key, { path, key, text: body, body: JSON.parse(body), first: at, data: undefined })
    if (LEAVES.includes(path) && this.#pauses.holdsAt(at)) {
      this.#faults.add(`${path} is asked for with ${key} while operators let nothing leave`)
    }
  }

  /** Notes that the provider answered; the bot may never receive the answer. */
  answered({ method, path, key }: WireRequest, status: number, body: string): void {
    if (method === 'GET' && path === WALLET && status === 200) this.#unproven = false
    const exchange = key === undefined ? undefined : this.#exchanges.get(key)
    if (exchange === undefined || status < 200 || status > 299) return
    const { data } = JSON.parse(body) as { data?: Exchange['data'] }
    exchange.data = data
  }

  /** Notes how a request ended for the bot; `reply` is undefined unless a whole answer arrived. */
  heard(
    { path, body = '{}' }: WireRequest,
    reply: { readonly status: number; readonly body: string } | undefined,
    at: Moment,
  ): void {
    const succeeded = reply !== undefined && reply.status >= 200 && reply.status <= 299 && isWhole(reply.body)
    const remembers = path === PROBE && reply?.status === 409 && codeIn(reply.body) === REMEMBERED
    if (!succeeded && !remembers) this.failures.push({ path, body: JSON.parse(body), heard: at, status: reply?.status })
  }

  /** Returns all requests at this path, in order. */
  at(path: string): Exchange[] {
    return [...this.#exchanges.values()].filter((exchange) => exchange.path === path)
  }
}

/** Returns the amount in a field of the request or the answer, which has msats in decimal. */
export function amountOf(exchange: Exchange, field: string, where: 'body' | 'data' = 'data'): bigint | undefined {
  const text = exchange[where]?.[field]
  return typeof text === 'string' && /^\d+$/.test(text) ? BigInt(text) : undefined
}

/**
 * Returns the code of a refusal. A special code says that the first of two requests with the same key is still running.
 */
function codeIn(body: string): unknown {
  return isWhole(body) ? JSON.parse(body).code : undefined
}

function isWhole(body: string): boolean {
  try {
    JSON.parse(body)
    return true
  } catch {
    return false
  }
}
