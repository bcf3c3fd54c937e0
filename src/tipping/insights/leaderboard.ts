import { Sql } from '@prisma/client/runtime/client'
import { msats } from '../../lib/amount.ts'
import type { TippingContext } from '../context.ts'
import { giftsIn } from './gifts.ts'
import type { LeaderboardView, Ranked, Span } from './insights.ts'
import { bucketsOf } from './spans.ts'

const PLACES = 10

/** Who gave and who got most in a server. Rewards are given by the pool, so they count for who got them only. */
export async function leaderboard(context: TippingContext, guild: string, span: Span): Promise<LeaderboardView> {
  const [since = new Date(0)] = bucketsOf(span, context.clock.now())
  const [tippers, receivers] = await Promise.all([
    ranked(context, 'giver', giftsIn(guild, since)),
    ranked(context, 'getter', giftsIn(guild, since)),
  ])
  return { since, tippers, receivers }
}

/** The largest sums, without those who want to be left out. */
async function ranked({ database }: TippingContext, side: 'giver' | 'getter', gifts: Sql): Promise<Ranked[]> {
  const rows = await database.read.$queryRaw<{ member: string; amount: string }[]>(
    new Sql(
      [
        `SELECT "${side}" AS "member", CAST(SUM("amount") AS TEXT) AS "amount" FROM `,
        ` WHERE "${side}" IS NOT NULL AND "${side}" NOT IN (SELECT "id" FROM "Member" WHERE "hidden")
          GROUP BY "${side}" ORDER BY SUM("amount") DESC, "${side}" LIMIT ${PLACES}`,
      ],
      [gifts],
    ),
  )
  return rows.map(({ member, amount }) => ({ member, amount: msats(BigInt(amount)) }))
}
