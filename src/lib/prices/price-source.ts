import type { Clock } from '../clock.ts'
import type { GuardedFetch } from '../http/guarded-fetch.ts'
import type { Logger } from '../logger.ts'
import { MAX_MSATS, MSATS_PER_BTC, type Msats, sats } from '../money/amount.ts'
import { type Price, readPrices } from './read-prices.ts'

export interface FiatValue {
  /** The value in units of the currency: dollars, not cents. It is never used in calculations. */
  readonly value: number
  /** The currency's ISO 4217 code. */
  readonly currency: string
  /** The time at which the price was current. */
  readonly at: Date
}

/** The source's last price of one bitcoin in a currency. */
export interface Quote {
  readonly price: Price
  readonly at: Date
  /** Whether the price is recent enough to be used. */
  readonly fresh: boolean
}

/** The age beyond which a price is not used. */
const CACHE_TTL_MS = 10 * 60_000
/** The interval between requests to the source. */
export const ASK_EVERY_MS = 60_000
const TIMEOUT_MS = 5_000

interface Known {
  readonly prices: ReadonlyMap<string, Price>
  readonly atMs: number
}

export interface PriceSourceOptions {
  /** The setting RATES_URL. If it is undefined, there are no prices. */
  readonly url: string | undefined
  readonly fetch: GuardedFetch
  readonly clock: Clock
  readonly logger: Logger
}

/**
 * A store of a source's latest prices. The store's creator calls `refresh` at intervals. Reading never waits. Prices
 * that are more than ten minutes old are not used.
 */
export class PriceSource {
  readonly #options: PriceSourceOptions
  #known: Known | undefined

  constructor(options: PriceSourceOptions) {
    this.#options = options
  }

  get configured(): boolean {
    return this.#options.url !== undefined
  }

  /** Requests the source's prices. If the request fails, the known prices stay, and age. Never throws. */
  async refresh(): Promise<void> {
    const { url, fetch, clock, logger } = this.#options
    if (url === undefined) return
    try {
      const { status, body } = await fetch(url, { timeoutMs: TIMEOUT_MS })
      if (status !== 200) throw new Error(`HTTP ${status}`)
      const { prices, at } = readPrices(body.toString('utf8'))
      // Believe a source's own time of its prices, unless it is in the future.
      this.#known = { prices, atMs: Math.min(at?.getTime() ?? clock.now(), clock.now()) }
    } catch (error) {
      logger.warn({ reason: error instanceof Error ? error.message : String(error) }, 'RATES_URL gave no prices')
    }
  }

  /** Returns the last price of one bitcoin in a currency; undefined if the source's last prices contain none. */
  quote(currency: string): Quote | undefined {
    const price = this.#known?.prices.get(currency)
    if (this.#known === undefined || price === undefined) return undefined
    return { price, at: new Date(this.#known.atMs), fresh: this.#isFresh(this.#known) }
  }

  /**
   * Converts a sum of money to msats, rounded down to whole sats, and never more than all bitcoin. `value` is a plain
   * decimal (`"2.5"`). Returns undefined if no fresh price is known.
   */
  toMsats(currency: string, value: string): Msats | undefined {
    const quote = this.quote(currency)
    if (!quote?.fresh) return undefined
    const { digits, scale } = quote.price
    const [whole = '', fraction = ''] = value.split('.')
    const numerator = BigInt(whole + fraction) * MSATS_PER_BTC * 10n ** BigInt(scale)
    const amount = numerator / (digits * 10n ** BigInt(fraction.length))
    return amount >= MAX_MSATS ? MAX_MSATS : sats(amount / 1_000n)
  }

  /**
   * Converts msats to the first of these currencies that has a fresh price, for display only; undefined if none has
   * one.
   */
  valueIn(currencies: readonly string[], amount: bigint): FiatValue | undefined {
    for (const currency of currencies) {
      const { price, at, fresh = false } = this.quote(currency) ?? {}
      if (price === undefined || at === undefined || !fresh) continue
      const value = (Number(amount) / Number(MSATS_PER_BTC)) * (Number(price.digits) / 10 ** price.scale)
      return { value, currency, at }
    }
    return undefined
  }

  /**
   * Whether prices are recent enough to be used. Prices from the future were received before the clock was set back, so
   * their age is unknown.
   */
  #isFresh({ atMs }: Known): boolean {
    return Math.abs(this.#options.clock.now() - atMs) <= CACHE_TTL_MS
  }
}
