import type { Clock } from '../../lib/clock.ts'
import type { GuardedFetch } from '../../lib/http/guarded-fetch.ts'
import type { Logger } from '../../lib/logger.ts'
import { MAX_MSATS, MSATS_PER_BTC, type Msats, sats } from '../../lib/money/amount.ts'
import { type Price, readPrices } from './read-prices.ts'
import { TippingRefusal } from './tipping-refusal.ts'

/** What bitcoin costs elsewhere. Off unless a source is configured: then nothing is converted and nothing shown. */
export interface Rates {
  /**
   * A sum of money as msats, whole sats rounded down. `value` is a plain decimal (`"2.5"`), `currency` an ISO 4217
   * code. Throws TippingRefusal: `amount-needs-rate` where no price is known, `rate-stale` where the last one is too
   * old.
   */
  toMsats(currency: string, value: string): Msats
  /** The same, for show only; undefined where no fresh price is known. */
  inSats(currency: string, value: string): Msats | undefined
  /** What an amount is worth, for show only; undefined where no fresh price is known. */
  fiatValue(amount: Msats): FiatValue | undefined
  /** The currency that amounts are shown in, ISO 4217. */
  readonly currency: string
  /** What a bitcoin costs in it; undefined where no fresh price is known. */
  latest(): LatestPrice | undefined
}

export interface LatestPrice {
  /** ISO 4217. */
  readonly currency: string
  /** Of one bitcoin, a plain decimal. */
  readonly price: string
  readonly at: Date
  /** The host that said so. */
  readonly source: string
}

export interface FiatValue {
  /** Units of the currency: dollars, not cents. Never calculated with. */
  readonly value: number
  /** ISO 4217. */
  readonly currency: string
  /** Since when the price has been so. */
  readonly at: Date
}

/** Older than this a price is not used. */
const CACHE_TTL_MS = 10 * 60_000
/** Between two questions to the source. */
export const ASK_EVERY_MS = 60_000
const TIMEOUT_MS = 5_000

interface Known {
  readonly prices: ReadonlyMap<string, Price>
  readonly atMs: number
}

export interface RateSourceOptions {
  /** RATES_URL; undefined: no source, no rates. */
  readonly url: string | undefined
  /** The currency that amounts are shown in, ISO 4217. */
  readonly currency: string
  readonly fetch: GuardedFetch
  readonly clock: Clock
  readonly logger: Logger
}

/**
 * Keeps the latest prices of a source. Its owner calls `refresh` now and then; reading never waits, and a source
 * that is silent for ten minutes counts as having nothing to say.
 */
export class RateSource implements Rates {
  readonly #options: RateSourceOptions
  #known: Known | undefined

  constructor(options: RateSourceOptions) {
    this.#options = options
  }

  get currency(): string {
    return this.#options.currency
  }

  get configured(): boolean {
    return this.#options.url !== undefined
  }

  /** Asks the source. A source that fails leaves what was known, which ages. Never throws. */
  async refresh(): Promise<void> {
    const { url, fetch, clock, logger } = this.#options
    if (url === undefined) return
    try {
      const { status, body } = await fetch(url, { timeoutMs: TIMEOUT_MS })
      if (status !== 200) throw new Error(`HTTP ${status}`)
      const { prices, at } = readPrices(body.toString('utf8'))
      // A source that says when its prices are from is believed, unless it speaks of the future.
      this.#known = { prices, atMs: Math.min(at?.getTime() ?? clock.now(), clock.now()) }
    } catch (error) {
      logger.warn({ reason: error instanceof Error ? error.message : String(error) }, 'RATES_URL gave no prices')
    }
  }

  toMsats(currency: string, value: string): Msats {
    const price = this.#known?.prices.get(currency)
    if (this.#known === undefined || price === undefined) throw new TippingRefusal('amount-needs-rate', { currency })
    if (!this.#fresh(this.#known)) throw new TippingRefusal('rate-stale', { currency, at: new Date(this.#known.atMs) })
    return convert(value, price)
  }

  inSats(currency: string, value: string): Msats | undefined {
    const price = this.#known?.prices.get(currency)
    if (this.#known === undefined || price === undefined || !this.#fresh(this.#known)) return undefined
    return convert(value, price)
  }

  fiatValue(amount: Msats): FiatValue | undefined {
    const { currency } = this.#options
    const price = this.#known?.prices.get(currency)
    if (this.#known === undefined || price === undefined || !this.#fresh(this.#known)) return undefined
    const value = (Number(amount) / Number(MSATS_PER_BTC)) * (Number(price.digits) / 10 ** price.scale)
    return { value, currency, at: new Date(this.#known.atMs) }
  }

  latest(): LatestPrice | undefined {
    const { currency, url } = this.#options
    const price = this.#known?.prices.get(currency)
    if (this.#known === undefined || price === undefined || url === undefined || !this.#fresh(this.#known))
      return undefined
    return { currency, price: decimalOf(price), at: new Date(this.#known.atMs), source: new URL(url).host }
  }

  /** One from later than now was learned before the clock was set back: how old it is, nobody knows. */
  #fresh({ atMs }: Known): boolean {
    return Math.abs(this.#options.clock.now() - atMs) <= CACHE_TTL_MS
  }
}

function decimalOf({ digits, scale }: Price): string {
  const text = String(digits).padStart(scale + 1, '0')
  return scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`
}

/** Whole sats, rounded down; never more than all there will ever be. */
function convert(value: string, { digits, scale }: Price): Msats {
  const [whole = '', fraction = ''] = value.split('.')
  const numerator = BigInt(whole + fraction) * MSATS_PER_BTC * 10n ** BigInt(scale)
  const amount = numerator / (digits * 10n ** BigInt(fraction.length))
  return amount >= MAX_MSATS ? MAX_MSATS : sats(amount / 1_000n)
}
