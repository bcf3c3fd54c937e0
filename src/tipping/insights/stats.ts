import { msats } from '../../lib/money/amount.ts'
import type { ReadonlyBook } from '../core/context.ts'
import { aboutGifts } from './gifts.ts'
import type { Span, StatsView } from './insights.ts'
import { bucketsOf } from './spans.ts'

/**
 * Returns how much was given in a server in each hour, day or month. Rewards are excluded, because the pool gives them.
 */
export async function stats(context: ReadonlyBook, guild: string, span: Span): Promise<StatsView> {
  const begins = bucketsOf(span, context.clock.now())
  const [since = new Date(0)] = begins
  const { hours, people } = await read(context, guild, since)
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

/** The query for the sums of every hour (UTC) with gifts, the number of people in total, and the largest gift. */
const QUESTION = `
  SELECT substr(CAST("at" AS TEXT), 1, 13) AS "hour", CAST(SUM("amount") AS TEXT) AS "amount", CAST(COUNT(*) AS TEXT) AS "gifts",
    '' AS "givers", '' AS "getters", '' AS "unclaimed" FROM "gift" WHERE "giver" IS NOT NULL GROUP BY 1
  UNION ALL
  SELECT '', CAST(COALESCE(MAX("amount"), 0) AS TEXT), '', CAST(COUNT(DISTINCT "giver") AS TEXT),
    CAST(COUNT(DISTINCT "getter") AS TEXT), CAST(COALESCE(SUM(CASE WHEN "getter" IS NULL THEN "amount" END), 0) AS TEXT)
  FROM "gift" WHERE "giver" IS NOT NULL`

interface Line {
  /**
   * The hour (UTC) as text; empty in the line of totals, whose amount is the largest gift. That line exists even
   * without gifts.
   */
  readonly hour: string
  readonly amount: string
  readonly gifts: string
  readonly givers: string
  readonly getters: string
  readonly unclaimed: string
}

async function read({ longQuestions }: ReadonlyBook, guild: string, since: Date) {
  const rows = await longQuestions.ask(aboutGifts(guild, since, QUESTION))
  const lines = rows.map((row): Line => {
    const [hour = '', amount = '', gifts = '', givers = '', getters = '', unclaimed = ''] = row.map(String)
    return { hour, amount, gifts, givers, getters, unclaimed }
  })
  const [all] = lines.filter(({ hour }) => hour === '') as [Line]
  const { givers, getters, unclaimed, amount: largest } = all
  const hours = lines
    .filter(({ hour }) => hour !== '')
    .map(({ hour, amount, gifts }) => ({
      at: new Date(`${hour.replace(' ', 'T')}:00:00Z`),
      amount: BigInt(amount),
      gifts: Number(gifts),
    }))
  const sums = { largest: msats(BigInt(largest)), unclaimed: msats(BigInt(unclaimed)) }
  return { hours, people: { tippers: Number(givers), receivers: Number(getters), ...sums } }
}
