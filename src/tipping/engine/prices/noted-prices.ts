import { NOTED_EVERY_MS, PRICE_HOLDS_MS, worthAt } from '../../../lib/prices/worth.ts'
import type { CoreContext } from '../../core/context.ts'
import type { NotedPrice } from '../../generated/client.ts'
import type { ExportReading } from '../export-reading.ts'

/** A booking's value at the time of the booking. */
export interface BookedValue {
  /** The value as a plain decimal with four digits after the point; negative if the booking's amount is. */
  readonly value: string
  /** The currency's ISO 4217 code. */
  readonly currency: string
  /** The price of one bitcoin, as the source reported it. */
  readonly price: string
  /** When the source reported the price. */
  readonly at: Date
  /** The host that reported the price. */
  readonly source: string
}

/**
 * Stores the present price of a bitcoin, unless one was stored minutes ago. If several bots share a book, only one of
 * them does this.
 */
export async function notePrice({ rates, ownership, database, commit }: CoreContext): Promise<void> {
  const latest = rates.latest()
  if (latest === undefined || !ownership.has('upkeep')) return
  const { currency, at } = latest
  const since = new Date(at.getTime() - NOTED_EVERY_MS)
  // A price from the future was stored before the clock was set back, and says nothing about now.
  const before = await database.read.notedPrice.findFirst({ where: { currency, at: { gt: since, lte: at } } })
  if (before !== null) return
  const where = { currency_at: { currency, at } }
  await commit({ write: (tx) => tx.notedPrice.upsert({ where, create: latest, update: {} }) })
}

/**
 * Returns a function that returns a booking's value at the time of the booking; undefined if no price of that time was
 * stored.
 */
export async function valuesOf<Line extends { readonly at: Date; readonly amount: bigint }>(
  { database, rates }: Pick<ExportReading, 'database' | 'rates'>,
  lines: readonly Line[],
): Promise<(line: Line) => BookedValue | undefined> {
  const times = lines.map(({ at }) => at.getTime())
  const from = new Date(
    times.reduce((one, other) => Math.min(one, other), Number.MAX_SAFE_INTEGER / 2) - PRICE_HOLDS_MS,
  )
  if (lines.length === 0) return () => undefined
  const to = new Date(times.reduce((one, other) => Math.max(one, other), 0))
  const prices = await database.read.notedPrice.findMany({
    where: { currency: rates.currency, at: { gte: from, lte: to } },
    orderBy: { at: 'asc' },
  })
  return ({ at, amount }) => {
    const price = lastBefore(prices, at)
    if (price === undefined || at.getTime() - price.at.getTime() > PRICE_HOLDS_MS) return undefined
    return { ...price, value: worthAt(price.price, amount) }
  }
}

function lastBefore(prices: readonly NotedPrice[], at: Date): NotedPrice | undefined {
  let [low, high] = [0, prices.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((prices[middle]?.at ?? at) <= at) low = middle + 1
    else high = middle
  }
  return prices[low - 1]
}
