import { msats } from '../../lib/money/amount.ts'
import type { TippingContext } from '../machines/tipping-context.ts'
import { aboutGifts } from './gifts.ts'
import type { LeaderboardView, Span } from './insights.ts'
import { bucketsOf } from './spans.ts'

const PLACES = 10

interface Line {
  readonly side: 'giver' | 'getter'
  readonly member: string
  readonly amount: string
}

/** Who gave and who got most in a server. Rewards are given by the pool, so they count for who got them only. */
export async function leaderboard(context: TippingContext, guild: string, span: Span): Promise<LeaderboardView> {
  const [since = new Date(0)] = bucketsOf(span, context.clock.now())
  const question = `${largest('giver')} UNION ALL ${largest('getter')}`
  const lines = await context.database.read.$queryRaw<Line[]>(aboutGifts(guild, since, question))
  const of = (side: Line['side']) =>
    lines.filter((line) => line.side === side).map(({ member, amount }) => ({ member, amount: msats(BigInt(amount)) }))
  return { since, tippers: of('giver'), receivers: of('getter') }
}

/** The largest sums of a side, without those who want to be left out. */
function largest(side: Line['side']): string {
  return `SELECT * FROM (
    SELECT '${side}' AS "side", "${side}" AS "member", CAST(SUM("amount") AS TEXT) AS "amount" FROM "gift"
    WHERE "${side}" IS NOT NULL AND "${side}" NOT IN (SELECT "id" FROM "Member" WHERE "hidden")
    GROUP BY "${side}" ORDER BY SUM("amount") DESC, "${side}" LIMIT ${PLACES}) AS "places"`
}
