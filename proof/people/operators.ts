import { type Tipping, TippingRefusal } from '../../src/tipping/tipping.ts'
import type { SimWorld } from '../world/world.ts'

type DecidePayment = Parameters<Tipping['administration']['decide']>[0]

/** Selects records whose end the bot could not learn, so that operators may decide it. */
const UNKNOWN = `
  SELECT "id", "key", 'payout' AS kind FROM "Payout" WHERE "state" = 'unknown'
  UNION ALL SELECT "id", "key", 'withdrawal' AS kind FROM "Withdrawal" WHERE "state" = 'unknown'
  UNION ALL SELECT "id", "key", 'voucher' AS kind FROM "Voucher" WHERE "state" = 'unknown'
  UNION ALL SELECT "id", "key", 'redemption' AS kind FROM "Redemption" WHERE "state" = 'unknown'`

/**
 * Lets two operators look up payments with unknown outcomes at the service, and decide the outcomes. Resolves to the
 * number of these payments.
 */
export async function decideUnknown(world: SimWorld, tipping: Tipping): Promise<number> {
  const unknown = world.botBook.rows<{ id: string; key: string; kind: string }>(UNKNOWN)
  for (const { id, key, kind } of unknown) {
    const outcome = wasCarriedOut(world, id, key) ? 'paid' : 'failed'
    const amount = kind === 'redemption' && outcome === 'paid' ? worthOf(world, key) : undefined
    const decide = async (outcome: 'paid' | 'failed') => {
      const word = { payment: id, outcome, reason: "as the provider's books say", amount } as const
      if (await sayAlone(world, tipping, word)) return
      const heard = world.judge.secondWords.says(decisionOf(word), 'operator-2')
      const { state } = await tipping.administration.decide({ ...word, operator: 'operator-2' })
      if (state === 'done') heard()
    }
    const given = givenBack(world, id)
    if (world.operators.mistakes > 0 && given !== undefined) {
      world.operators.mistakes -= 1
      world.operators.mistaken()
      await decide(outcome === 'paid' ? 'failed' : 'paid')
      world.trace.note(`operators: ${id} is taken for the opposite at first`)
      // A sum that was returned by mistake stays with the member, and the operator bears it.
      if (outcome === 'paid') {
        world.model.give(given.member, given.amount)
        world.judge.booked -= given.amount
      }
    }
    await decide(outcome)
    const { decidedPaid, decidedFailed } = world.judge
    if (outcome === 'paid') decidedPaid.add(key)
    else if (kind === 'payout' && given !== undefined) decidedFailed.set(key, given)
    world.trace.note(`operators: ${id} was ${outcome}`)
  }
  return unknown.length
}

/**
 * Returns the refund that a member gets if their payment is declared failed; undefined unless the payment is a payout,
 * or a withdrawal that the member requested other than by a code to scan.
 */
function givenBack(
  { botBook }: SimWorld,
  id: string,
): { readonly member: string; readonly amount: bigint } | undefined {
  const [payment] = botBook.rows<{ member: string; amount: bigint }>(
    `SELECT "member", "amount" FROM "Payout" WHERE "id" = ?
     UNION ALL SELECT "member", "amount" + "feeLimit" AS "amount" FROM "Withdrawal"
     WHERE "id" = ? AND "kind" <> 'request' AND NOT "forwarded"`,
    id,
    id,
  )
  return payment
}

/**
 * Lets the first operator make their decision twice, which must count once. Resolves to whether these calls alone
 * decided the payment, of which the judge is informed.
 */
async function sayAlone(
  { judge }: SimWorld,
  tipping: Tipping,
  word: Omit<DecidePayment, 'operator'>,
): Promise<boolean> {
  const alone = { ...word, operator: 'operator-1' }
  const heard = judge.secondWords.says(decisionOf(word), alone.operator)
  for (let words = 0; words < 2; words += 1) {
    try {
      const { state } = await tipping.administration.decide(alone)
      if (state === 'proposed') continue
      if (state === 'done') heard()
      return true
    } catch (error) {
      if (words === 0 || !(error instanceof TippingRefusal) || error.code !== 'decision-needs-another') throw error
    }
  }
  return false
}

function decisionOf({ payment, outcome }: Pick<DecidePayment, 'payment' | 'outcome'>): string {
  return `the decision that ${payment} was ${outcome}`
}

/** Returns the value of a code, in sats, according to the provider's answer. */
function worthOf({ serviceBook }: SimWorld, key: string): string {
  const [answer] = serviceBook.rows<{ body: string }>('SELECT "body" FROM "IdempotencyKey" WHERE "key" = ?', key)
  return String(BigInt(JSON.parse(answer?.body ?? '{}').data.amount) / 1_000n)
}

function wasCarriedOut({ serviceBook, projects }: SimWorld, id: string, key: string): boolean {
  // A code to scan reserves sats when it is made: they have left only once it paid somebody.
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
