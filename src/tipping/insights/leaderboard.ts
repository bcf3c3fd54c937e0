import { msats } from '../../lib/money/amount.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { aboutGifts } from './gifts.ts'
import type { LeaderboardView, Ranked, Span } from './insights.ts'
import { bucketsOf } from './spans.ts'

const PLACES = 10

interface Line {
  /** What people gave and nobody has claimed yet is one line, without a member; it is there also if that is nothing. */
  readonly side: 'named' | 'getter' | 'nobody'
  readonly member: string
  readonly amount: string
}

/** Who gave and who got most in a server. What was given anonymously counts for no giver. Rewards are given by the pool, so they count for who got them only, once they are claimed. */
export async function leaderboard(context: TippingContext, guild: string, span: Span): Promise<LeaderboardView> {
  const [since = new Date(0)] = bucketsOf(span, context.clock.now())
  const question = `${largest('named')} UNION ALL ${largest('getter')} UNION ALL ${UNCLAIMED}`
  const rows = await context.longQuestions.ask(aboutGifts(guild, since, question))
  const lines = rows.map(([side, member, amount]) => ({ side, member: String(member), amount: String(amount) }) as Line)
  const of = (side: Line['side']) =>
    lines.filter((line) => line.side === side).map(({ member, amount }) => ({ member, amount: msats(BigInt(amount)) }))
  const [{ amount: unclaimed }] = of('nobody') as [Ranked]
  return { since, tippers: of('named'), receivers: of('getter'), unclaimed }
}

const UNCLAIMED = `SELECT 'nobody', '', CAST(COALESCE(SUM("amount"), 0) AS TEXT) FROM "gift"
  WHERE "giver" IS NOT NULL AND "getter" IS NULL`

/** The largest sums of a side, without those who want to be left out. */
function largest(side: Line['side']): string {
  return `SELECT * FROM (
    SELECT '${side}' AS "side", "${side}" AS "member", CAST(SUM("amount") AS TEXT) AS "amount" FROM "gift"
    WHERE "${side}" IS NOT NULL AND "${side}" NOT IN (SELECT "id" FROM "Member" WHERE "hidden")
    GROUP BY "${side}" ORDER BY SUM("amount") DESC, "${side}" LIMIT ${PLACES}) AS "places"`
}
