import { OPERATOR, WALLET } from '../../core/chart-of-accounts.ts'
import type { CoreContext } from '../../core/context.ts'
import { now } from '../../core/context.ts'

/**
 * Begins the book: what the provider's wallet holds before anybody has used the bot is the operator's. Done once, when
 * the provider can first be asked, and before anything can be paid in. Throws PaymentsError.
 */
export async function ensureOpened(context: CoreContext): Promise<void> {
  const { read } = context.database
  if ((await read.opening.findUnique({ where: { id: 1 } })) !== null) return
  const begun = (await read.entry.findFirst()) !== null
  const amount = begun ? 0n : (await context.payments.getWallet()).data.balance
  const moves = [{ from: WALLET, to: OPERATOR, amount: amount as never }]
  await context
    .commit({
      entries: amount > 0n ? [{ operation: 'opening', step: 'post', moves }] : [],
      write: async (tx) => {
        await tx.opening.create({ data: { id: 1, amount, at: now(context) } })
      },
    })
    .catch(async (error: unknown) => {
      // Two asked at once; the first has begun it.
      if ((await read.opening.findUnique({ where: { id: 1 } })) === null) throw error
    })
}
