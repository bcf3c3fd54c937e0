import { msats } from '../../lib/amount.ts'
import type { TippingContext } from '../context.ts'
import type { Span, StatsView } from './insights.ts'
import { bucketsOf } from './spans.ts'

/** How much was tipped in a server, hour by hour, day by day or month by month. */
export async function stats({ database, clock }: TippingContext, guild: string, span: Span): Promise<StatsView> {
  const { read } = database
  const begins = bucketsOf(span, clock.now())
  const [since = new Date(0)] = begins
  const inAll = { guild, createdAt: { gte: since }, pool: null }
  const bars = await Promise.all(
    begins.map(async (from, index) => {
      const until = begins[index + 1]
      const where = {
        state: { not: 'returned' },
        tip: { guild, pool: null, createdAt: { gte: from, ...(until === undefined ? {} : { lt: until }) } },
      }
      const { _sum, _count } = await read.tipShare.aggregate({ where, _sum: { amount: true }, _count: true })
      return { from, amount: msats(_sum.amount ?? 0n), tips: _count }
    }),
  )
  const shares = { state: { not: 'returned' }, tip: inAll }
  const [tippers, receivers, largest] = await Promise.all([
    read.tip.groupBy({ by: ['sender'], where: inAll }),
    read.tipShare.groupBy({ by: ['recipient'], where: shares }),
    read.tipShare.aggregate({ where: shares, _max: { amount: true } }),
  ])
  return {
    since,
    bars,
    total: msats(bars.reduce((sum, { amount }) => sum + amount, 0n)),
    tips: bars.reduce((sum, { tips }) => sum + tips, 0),
    tippers: tippers.length,
    receivers: receivers.length,
    largest: msats(largest._max.amount ?? 0n),
  }
}
