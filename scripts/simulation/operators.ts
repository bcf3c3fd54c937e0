import type { Tipping } from '../../src/tipping/tipping.ts'
import type { SimWorld } from './world.ts'

/** What the bot could learn no end of, and operators may decide. */
const UNKNOWN = `
  SELECT "id", "key", 'payout' AS kind FROM "Payout" WHERE "state" = 'unknown'
  UNION ALL SELECT "id", "key", 'withdrawal' AS kind FROM "Withdrawal" WHERE "state" = 'unknown'
  UNION ALL SELECT "id", "key", 'voucher' AS kind FROM "Voucher" WHERE "state" = 'unknown'
  UNION ALL SELECT "id", "key", 'redemption' AS kind FROM "Redemption" WHERE "state" = 'unknown'`

/**
 * Two operators look up, at the service, what became of the payments that the bot cannot learn the end of, and decide
 * them. Resolves to how many there were.
 */
export async function decideUnknown(world: SimWorld, tipping: Tipping): Promise<number> {
  const unknown = world.botBook.rows<{ id: string; key: string; kind: string }>(UNKNOWN)
  for (const { id, key, kind } of unknown) {
    const outcome = wasCarriedOut(world, id, key) ? 'paid' : 'failed'
    const amount = kind === 'redemption' && outcome === 'paid' ? worthOf(world, key) : undefined
    const decide = async (outcome: 'paid' | 'failed') => {
      for (const operator of ['operator-1', 'operator-2']) {
        const word = { payment: id, outcome, operator, reason: "as the provider's books say", amount } as const
        await tipping.administration.decide(word)
      }
    }
    if (world.operators.mistakes > 0 && kind === 'payout') {
      world.operators.mistakes -= 1
      world.operators.mistaken()
      await decide(outcome === 'paid' ? 'failed' : 'paid')
      world.trace.note(`operators: ${id} is taken for the opposite at first`)
      // What a member was given back by mistake stays with them: the operator bears it.
      if (outcome === 'paid') {
        const [{ member, amount }] = world.botBook.rows<{ member: string; amount: bigint }>(
          'SELECT "member", "amount" FROM "Payout" WHERE "id" = ?',
          id,
        ) as [{ member: string; amount: bigint }]
        world.model.give(member, amount)
        world.judge.booked -= amount
      }
    }
    await decide(outcome)
    if (outcome === 'paid') world.judge.decidedPaid.add(key)
    world.trace.note(`operators: ${id} was ${outcome}`)
  }
  return unknown.length
}

/** What came with a code, in sats, as the provider's answer says. */
function worthOf({ serviceBook }: SimWorld, key: string): string {
  const [answer] = serviceBook.rows<{ body: string }>('SELECT "body" FROM "IdempotencyKey" WHERE "key" = ?', key)
  return String(BigInt(JSON.parse(answer?.body ?? '{}').data.amount) / 1_000n)
}

function wasCarriedOut({ serviceBook, projects }: SimWorld, id: string, key: string): boolean {
  // A code to scan sets sats aside when it is made: they have left only when somebody was paid by it.
  const [code] = serviceBook.rows<{ status: string }>(
    'SELECT "status" FROM "WithdrawalRequest" WHERE "internalId" = ?',
    id,
  )
  if (code !== undefined) return code.status === 'completed'
  const moved = serviceBook.rows(
    `SELECT 1 FROM "IdempotencyKey" WHERE "projectId" = ? AND "key" = ? AND "movedMoney" AND "paymentId" IS NULL`,
    projects.bot.id,
    key,
  )
  const paid = serviceBook.rows(`SELECT 1 FROM "Payment" WHERE "internalId" = ? AND "status" = 'completed'`, id)
  return moved.length + paid.length > 0
}
