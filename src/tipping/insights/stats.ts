import { Sql } from '@prisma/client/runtime/client'
import { msats } from '../../lib/amount.ts'
import type { TippingContext } from '../context.ts'
import { giftsIn } from './gifts.ts'
import type { Span, StatsView } from './insights.ts'
import { bucketsOf } from './spans.ts'

/** How much was given in a server, hour by hour, day by day or month by month. Rewards are the pool's, not people's. */
export async function stats(context: TippingContext, guild: string, span: Span): Promise<StatsView> {
  const begins = bucketsOf(span, context.clock.now())
  const [since = new Date(0)] = begins
  const [hours, people] = await Promise.all([readHours(context, guild, since), readPeople(context, guild, since)])
  const bars = begins.map((from, index) => {
    const until = begins[index + 1]
    const within = hours.filter(({ at }) => at >= from && (until === undefined || at < until))
    const amount = msats(within.reduce((sum, hour) => sum + hour.amount, 0n))
    return { from, amount, gifts: within.reduce((sum, hour) => sum + hour.gifts, 0) }
  })
  return {
    ...{ since, bars, ...people },
    total: msats(bars.reduce((sum, { amount }) => sum + amount, 0n)),
    gifts: bars.reduce((sum, { gifts }) => sum + gifts, 0),
  }
}

/** The sums of every hour (UTC) in which something was given. */
async function readHours({ database }: TippingContext, guild: string, since: Date) {
  const head = `SELECT substr("at", 1, 13) AS "hour", CAST(SUM("amount") AS TEXT) AS "amount",
    CAST(COUNT(*) AS TEXT) AS "gifts" FROM `
  const rows = await database.read.$queryRaw<{ hour: string; amount: string; gifts: string }[]>(
    new Sql([head, ` WHERE "giver" IS NOT NULL GROUP BY 1`], [giftsIn(guild, since)]),
  )
  return rows.map(({ hour, amount, gifts }) => ({
    at: new Date(`${hour}:00:00Z`),
    amount: BigInt(amount),
    gifts: Number(gifts),
  }))
}

/** How many different people gave and got something, and the largest gift. */
async function readPeople({ database }: TippingContext, guild: string, since: Date) {
  const head = `SELECT CAST(COUNT(DISTINCT "giver") AS TEXT) AS "givers", CAST(COUNT(DISTINCT "getter") AS TEXT)
    AS "getters", CAST(COALESCE(MAX("amount"), 0) AS TEXT) AS "largest" FROM `
  const [row] = await database.read.$queryRaw<{ givers: string; getters: string; largest: string }[]>(
    new Sql([head, ` WHERE "giver" IS NOT NULL`], [giftsIn(guild, since)]),
  )
  const { givers = '0', getters = '0', largest = '0' } = row ?? {}
  return { tippers: Number(givers), receivers: Number(getters), largest: msats(BigInt(largest)) }
}
