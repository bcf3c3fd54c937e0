import type { Msats } from '../../lib/money/amount.ts'
import { type FiatValue, PriceSource, type PriceSourceOptions } from '../../lib/prices/price-source.ts'
import { decimalOf } from '../../lib/prices/read-prices.ts'
import { TippingRefusal } from './tipping-refusal.ts'

export { ASK_EVERY_MS, type FiatValue } from '../../lib/prices/price-source.ts'

/** Bitcoin's prices in other currencies. Without a configured source, nothing is converted or shown. */
export interface Rates {
  /**
   * Converts a sum of money to msats, rounded down to whole sats. `value` is a plain decimal (`"2.5"`), `currency` an
   * ISO 4217 code. Throws TippingRefusal `amount-needs-rate` if no price is known, and `rate-stale` if the last price
   * is too old.
   */
  toMsats(currency: string, value: string): Msats
  /**
   * Converts a sum of money to msats, rounded down to whole sats, for display only; undefined if no fresh price is
   * known.
   */
  inSats(currency: string, value: string): Msats | undefined
  /** Returns an amount's value for display only; undefined if no fresh price is known. */
  fiatValue(amount: Msats): FiatValue | undefined
  /** The ISO 4217 code of the currency in which amounts are shown. */
  readonly currency: string
  /** Returns Bitcoin's price in `currency`; undefined if no fresh price is known. */
  latest(): LatestPrice | undefined
}

export interface LatestPrice {
  /** The currency, as an ISO 4217 code. */
  readonly currency: string
  /** The price of one bitcoin, as a plain decimal. */
  readonly price: string
  readonly at: Date
  /** The host that reported the price. */
  readonly source: string
}

export interface RateSourceOptions extends PriceSourceOptions {
  /** The ISO 4217 code of the currency in which amounts are shown. */
  readonly currency: string
}

/** Converts typed sums of money with the prices of a source. */
export class RateSource implements Rates {
  readonly #source: PriceSource
  readonly #options: RateSourceOptions

  constructor(options: RateSourceOptions) {
    this.#options = options
    this.#source = new PriceSource(options)
  }

  get currency(): string {
    return this.#options.currency
  }

  get configured(): boolean {
    return this.#source.configured
  }

  /** Requests new prices, as `PriceSource.refresh` does. */
  refresh(): Promise<void> {
    return this.#source.refresh()
  }

  toMsats(currency: string, value: string): Msats {
    const amount = this.#source.toMsats(currency, value)
    if (amount !== undefined) return amount
    const quote = this.#source.quote(currency)
    if (quote === undefined) throw new TippingRefusal('amount-needs-rate', { currency })
    throw new TippingRefusal('rate-stale', { currency, at: quote.at })
  }

  inSats(currency: string, value: string): Msats | undefined {
    return this.#source.toMsats(currency, value)
  }

  fiatValue(amount: Msats): FiatValue | undefined {
    return this.#source.valueIn([this.#options.currency], amount)
  }

  latest(): LatestPrice | undefined {
    const { currency, url } = this.#options
    const quote = this.#source.quote(currency)
    if (quote === undefined || url === undefined || !quote.fresh) return undefined
    return { currency, price: decimalOf(quote.price), at: quote.at, source: new URL(url).host }
  }
}
