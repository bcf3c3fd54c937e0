import { Sql } from '@prisma/client/runtime/client'
import { decimalOf } from '../../lib/prices/read-prices.ts'
import { NOTED_EVERY_MS, PRICE_HOLDS_MS, worthAt } from '../../lib/prices/worth.ts'
import type { PaymentsDatabase } from '../core/database.ts'
import type { ServiceParts } from '../engine/service-parts.ts'

/** The currency in which bookings are valued, the same as in Get Price. */
const CURRENCY = 'USD'

/**
 * Stores a bitcoin's present price, unless a price was stored minutes ago. If several services share the book, only one
 * of them does this.
 */
export async function notePrice({ prices, ownership, database, ledger }: ServiceParts): Promise<void> {
  const quote = prices.quote(CURRENCY)
  if (quote === undefined || !quote.fresh || !ownership.has('prices')) return
  const { at } = quote
  const since = new Date(at.getTime() - NOTED_EVERY_MS)
  // A price from the future was stored before the clock was set back, and says nothing about now.
  const before = await database.read.notedPrice.findFirst({
    where: { currency: CURRENCY, at: { gt: since, lte: at } },
  })
  if (before !== null) return
  const row = { currency: CURRENCY, at, price: decimalOf(quote.price) }
  const where = { currency_at: { currency: CURRENCY, at } }
  await ledger.commit({ write: async (tx) => void (await tx.notedPrice.upsert({ where, create: row, update: {} })) })
}

/** A booking's value at the time of the booking. */
export interface ValueAtItsTime {
  readonly fiatValue: string | null
  /** The currency of the value, as an ISO 4217 code. */
  readonly fiatCurrency: string | null
}

/** A price found for a booking's time. `at` and `price` are null if no earlier price was stored. */
interface Found {
  readonly bookedAt: string | Date
  readonly at: string | Date | null
  readonly price: string | null
}

const UNKNOWN: ValueAtItsTime = { fiatValue: null, fiatCurrency: null }

/**
 * The columns of the last price before each moment. The price is found by the table's key, so the cost depends on the
 * number of moments alone.
 */
const LAST = ['at', 'price'].map(
  (column) => `(SELECT q."${column}" FROM "NotedPrice" AS q
    WHERE q."currency" = '${CURRENCY}' AND q."at" <= wanted."at" ORDER BY q."at" DESC LIMIT 1) AS "${column}"`,
)
const LAST_BEFORE = [`SELECT wanted."at" AS "bookedAt", ${LAST} FROM `, '']

/** Returns the function that values a booking at the booking's time; null if no price of that time was stored. */
export async function readFiatValues(
  { readRaw, rows }: Pick<PaymentsDatabase, 'readRaw' | 'rows'>,
  lines: readonly { readonly at: Date }[],
): Promise<(at: Date, amount: bigint) => ValueAtItsTime> {
  const times = [...new Set(lines.map(({ at }) => at.getTime()))]
  if (times.length === 0) return () => UNKNOWN
  const wanted = rows.rowsOf(
    'NotedPrice',
    'wanted',
    ['at'],
    times.map((time) => [new Date(time)]),
  )
  const found = await readRaw.$queryRaw<Found[]>(new Sql(LAST_BEFORE, [wanted]))
  const prices = new Map<number, string>()
  for (const { bookedAt, at, price } of found) {
    if (at === null || price === null) continue
    const booked = new Date(bookedAt).getTime()
    if (booked - new Date(at).getTime() <= PRICE_HOLDS_MS) prices.set(booked, price)
  }
  return (at, amount) => {
    const price = prices.get(at.getTime())
    return price === undefined ? UNKNOWN : { fiatValue: worthAt(price, amount), fiatCurrency: CURRENCY }
  }
}
