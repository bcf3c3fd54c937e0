import { Sql } from '@prisma/client/runtime/client'
import { decimalOf } from '../../lib/prices/read-prices.ts'
import { NOTED_EVERY_MS, PRICE_HOLDS_MS, worthAt } from '../../lib/prices/worth.ts'
import type { PaymentsDatabase } from '../core/database.ts'
import type { ServiceParts } from '../engine/service-parts.ts'

/** In which currency bookings are valued: that of Get Price. */
const CURRENCY = 'USD'

/** Writes down what a bitcoin costs now, unless that was done minutes ago. One service of a book does it. */
export async function notePrice({ prices, leases, database, ledger }: ServiceParts): Promise<void> {
  const quote = prices.quote(CURRENCY)
  if (quote === undefined || !quote.fresh || !leases.has('prices')) return
  const { at } = quote
  const since = new Date(at.getTime() - NOTED_EVERY_MS)
  // One from later was noted before the clock was set back: it says nothing of now.
  const before = await database.read.notedPrice.findFirst({
    where: { currency: CURRENCY, at: { gt: since, lte: at } },
  })
  if (before !== null) return
  const row = { currency: CURRENCY, at, price: decimalOf(quote.price) }
  const where = { currency_at: { currency: CURRENCY, at } }
  await ledger.commit({ write: async (tx) => void (await tx.notedPrice.upsert({ where, create: row, update: {} })) })
}

/** What a booking was worth at its time. */
export interface ValueAtItsTime {
  readonly fiatValue: string | null
  /** ISO 4217. */
  readonly fiatCurrency: string | null
}

const UNKNOWN: ValueAtItsTime = { fiatValue: null, fiatCurrency: null }

/** The last price before each moment, by the key of the table: what that costs depends on the moments alone. */
const LAST_BEFORE = [
  'SELECT wanted."at" AS "bookedAt", p."at" AS "at", p."price" AS "price" FROM ',
  ` JOIN "NotedPrice" AS p ON p."currency" = '${CURRENCY}' AND p."at" = (SELECT MAX(q."at") FROM "NotedPrice" AS q
    WHERE q."currency" = '${CURRENCY}' AND q."at" <= wanted."at")`,
]

/** Finds what bookings were worth when they were booked; null where no price of that time was noted. */
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
  const found = await readRaw.$queryRaw<{ bookedAt: string | Date; at: string | Date; price: string }[]>(
    new Sql(LAST_BEFORE, [wanted]),
  )
  const prices = new Map(
    found
      .map(({ bookedAt, at, price }) => ({ booked: new Date(bookedAt).getTime(), at: new Date(at).getTime(), price }))
      .filter(({ booked, at }) => booked - at <= PRICE_HOLDS_MS)
      .map(({ booked, price }) => [booked, price]),
  )
  return (at, amount) => {
    const price = prices.get(at.getTime())
    return price === undefined ? UNKNOWN : { fiatValue: worthAt(price, amount), fiatCurrency: CURRENCY }
  }
}
