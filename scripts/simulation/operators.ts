import type { Tipping } from '../../src/tipping/tipping.ts'
import type { World } from './world.ts'

/** The bot's open payments of which it could learn no end, and that operators may decide. */
const UNKNOWN = `
  SELECT "id", "key", 'payout' AS kind FROM "Payout" WHERE "state" = 'unknown'
  UNION ALL SELECT "id", "key", 'withdrawal' AS kind FROM "Withdrawal" WHERE "state" = 'unknown'`

/**
 * Two operators look up, at the service, what became of the payments that the bot cannot learn the end of, and decide
 * them. Resolves to how many there were.
 */
export async function decideUnknown(world: World, tipping: Tipping): Promise<number> {
  const unknown = world.botBook.rows<{ id: string; key: string; kind: string }>(UNKNOWN)
  for (const { id, key } of unknown) {
    const outcome = wasCarriedOut(world, id, key) ? 'paid' : 'failed'
    for (const operator of ['operator-1', 'operator-2']) {
      await tipping.oversight.decide({ payment: id, outcome, operator, reason: "as the provider's books say" })
    }
    world.trace.note(`operators: ${id} was ${outcome}`)
  }
  return unknown.length
}

function wasCarriedOut({ serviceBook, projects }: World, id: string, key: string): boolean {
  const moved = serviceBook.rows(
    `SELECT 1 FROM "IdempotencyKey" WHERE "projectId" = ? AND "key" = ? AND "movedMoney" AND "paymentId" IS NULL`,
    projects.bot.id,
    key,
  )
  const paid = serviceBook.rows(`SELECT 1 FROM "Payment" WHERE "internalId" = ? AND "status" = 'completed'`, id)
  return moved.length + paid.length > 0
}
