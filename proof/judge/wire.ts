import type { Faults } from './faults.ts'
import type { Moment } from './moments.ts'
import type { Pauses } from './pauses.ts'

/** A request of the bot to its provider, as it went over the network. */
export interface WireRequest {
  readonly method: string
  readonly path: string
  readonly key: string | undefined
  readonly body: string | undefined
}

/** A key's request and the provider's answers, whether or not the bot heard them. */
export interface Exchange {
  readonly path: string
  readonly key: string
  readonly text: string
  readonly body: Readonly<Record<string, unknown>>
  readonly first: Moment
  /** The answer of a success; undefined while there is none. */
  data: Readonly<Record<string, unknown>> | undefined
}

/** A request that came to nothing, as the bot itself heard it. */
export interface Failure {
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  readonly heard: Moment
  /** Status of the answer; undefined where none came. */
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
 * The bot decodes this to learn whether the provider remembers its keys. It moves nothing, and is asked for something
 * else under a key that was used: who remembers that says so with this refusal, which is not a failure.
 */
export const PROBE = '/v0/decode-invoice'
const REMEMBERED = 'idempotency_key_reused'

const LEAVES: readonly string[] = [TO_GAMERTAG, TO_INVOICE, CODE_TO_SCAN, VOUCHER]

/** The traffic between the bot and its provider, overheard on the network between them. */
export class Wire {
  /** Failed records, in its order. */
  readonly failures: Failure[] = []
  readonly #exchanges = new Map<string, Exchange>()
  readonly #faults: Faults
  readonly #pauses: Pauses

  /** The bot's book was restored, and the wallet not read since. */
  #unproven = false

  constructor(faults: Faults, pauses: Pauses) {
    this.#faults = faults
    this.#pauses = pauses
  }

  /** The bot's book was put back from a backup: it must see the wallet before anything leaves. */
  restored(): void {
    this.#unproven = true
  }

  /** The bot sends a request on its way. */
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

  /** The provider answers; the bot may never hear it. */
  answered({ method, path, key }: WireRequest, status: number, body: string): void {
    if (method === 'GET' && path === WALLET && status === 200) this.#unproven = false
    const exchange = key === undefined ? undefined : this.#exchanges.get(key)
    if (exchange === undefined || status < 200 || status > 299) return
    const { data } = JSON.parse(body) as { data?: Exchange['data'] }
    exchange.data = data
  }

  /** The bot hears how its request ended; `reply` is undefined where no whole answer came. */
  heard(
    { path, body = '{}' }: WireRequest,
    reply: { readonly status: number; readonly body: string } | undefined,
    at: Moment,
  ): void {
    const succeeded = reply !== undefined && reply.status >= 200 && reply.status <= 299 && isWhole(reply.body)
    const remembers = path === PROBE && reply?.status === 409 && codeIn(reply.body) === REMEMBERED
    if (!succeeded && !remembers) this.failures.push({ path, body: JSON.parse(body), heard: at, status: reply?.status })
  }

  /** All requests at this path, in order. */
  at(path: string): Exchange[] {
    return [...this.#exchanges.values()].filter((exchange) => exchange.path === path)
  }
}

/** An amount of the interface: msats in decimal. */
export function amountOf(exchange: Exchange, field: string, where: 'body' | 'data' = 'data'): bigint | undefined {
  const text = exchange[where]?.[field]
  return typeof text === 'string' && /^\d+$/.test(text) ? BigInt(text) : undefined
}

/** The code of a refusal. Another one is that the first of two requests with one key still runs. */
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
