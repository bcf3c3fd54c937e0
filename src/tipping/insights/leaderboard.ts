import { Sql } from '@prisma/client/runtime/client'
import { msats } from '../../lib/money/amount.ts'
import type { ReadonlyBook } from '../core/context.ts'
import { aboutGifts } from './gifts.ts'
import type { LeaderboardView, Ranked, Span } from './insights.ts'
import { bucketsOf } from './spans.ts'

const PLACES = 10

interface Line {
  /**
   * The list to which the line belongs. All unclaimed gifts are one line without a member, which exists even if its sum
   * is 0.
   */
  readonly side: 'giver' | 'getter' | 'unclaimed'
  readonly member: string
  readonly amount: string
}

/**
 * Ranks a server's givers and recipients. Anonymous gifts count for no giver. Rewards come from the pool, so they count
 * only for their recipients, and for newcomers only after the claim.
 */
export async function leaderboard(context: ReadonlyBook, guild: string, span: Span): Promise<LeaderboardView> {
  const [since = new Date(0)] = bucketsOf(span, context.clock.now())
  const rows = await context.longQuestions.ask(questionOf(guild, span, since))
  const lines = rows.map(([side, member, amount]) => ({ side, member: String(member), amount: String(amount) }) as Line)
  const of = (side: Line['side']) =>
    lines.filter((line) => line.side === side).map(({ member, amount }) => ({ member, amount: msats(BigInt(amount)) }))
  const [{ amount: unclaimed }] = of('unclaimed') as [Ranked]
  return { since, tippers: of('giver'), receivers: of('getter'), unclaimed }
}

/**
 * Builds a leaderboard's query. The span `day` can begin at any hour, so its gifts are read one by one. Other spans
 * begin with a day or a month, for which sums are stored.
 */
function questionOf(guild: string, span: Span, since: Date): Sql {
  const date = since.toISOString()
  switch (span) {
    case 'day':
      return aboutGifts(
        guild,
        since,
        placesAndUnclaimed((side) => GIFTS[side]),
      )
    case 'week':
    case 'month':
      return inSums('"GiftDay"', '"day"', [guild, date.slice(0, DAY_LENGTH)])
    case 'year':
      return inSums('"GiftMonth"', '"month"', [guild, date.slice(0, MONTH_LENGTH)])
    default:
      return span satisfies never
  }
}

const DAY_LENGTH = '2026-11-27'.length
const MONTH_LENGTH = '2026-11'.length

/** Each side's gifts, as a table of "member" and "amount". */
const GIFTS = {
  giver: `(SELECT "named" AS "member", "amount" FROM "gift" WHERE "named" IS NOT NULL)`,
  getter: `(SELECT "getter" AS "member", "amount" FROM "gift" WHERE "getter" IS NOT NULL)`,
  unclaimed: `(SELECT '' AS "member", "amount" FROM "gift" WHERE "giver" IS NOT NULL AND "getter" IS NULL)`,
}

/** Builds a leaderboard's query on stored sums. `since` is the server, and the first day or month. */
function inSums(table: string, begins: string, since: readonly [string, string]): Sql {
  const question = placesAndUnclaimed(
    (side) => `(SELECT "member", "amount" FROM ${table} WHERE "guild" = ? AND "side" = '${side}' AND ${begins} >= ?)`,
  )
  const parts = question.split('?')
  return new Sql(
    parts,
    parts.slice(1).map((_, place) => since[place % since.length]),
  )
}

/** Selects the largest sums of givers and recipients, and the sum of unclaimed gifts. `of` returns a side's table. */
function placesAndUnclaimed(of: (side: Line['side']) => string): string {
  const unclaimed = `SELECT 'unclaimed', '', CAST(COALESCE(SUM("amount"), 0) AS TEXT) FROM ${of('unclaimed')} AS "gifts"`
  return [largest('giver', of('giver')), largest('getter', of('getter')), unclaimed].join(' UNION ALL ')
}

/** Selects a side's largest sums, without members who opted out. */
function largest(side: Line['side'], gifts: string): string {
  return `SELECT * FROM (
    SELECT '${side}' AS "side", "member", CAST(SUM("amount") AS TEXT) AS "amount" FROM ${gifts} AS "gifts"
    WHERE "member" NOT IN (SELECT "id" FROM "Member" WHERE "hidden")
    GROUP BY "member" HAVING SUM("amount") > 0 ORDER BY SUM("amount") DESC, "member" LIMIT ${PLACES}) AS "places"`
}
