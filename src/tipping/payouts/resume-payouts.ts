import { now, type TippingContext } from '../context.ts'
import { endPayout } from './end-payout.ts'

/**
 * Takes up what an earlier process left. Reserved and never marked: nothing can have left, it stays in the balance.
 * Marked: it may have left, so it is looked into.
 */
export async function resumePayouts(context: TippingContext): Promise<void> {
  const left = await context.database.read.payout.findMany({ where: { state: { in: ['reserved', 'sending'] } } })
  await Promise.all(
    left.map((payout) =>
      endPayout(
        context,
        payout,
        payout.state === 'reserved'
          ? { kind: 'kept', because: 'interrupted', reason: null }
          : { kind: 'unknown', evidence: 'the bot was stopped while it was sent', transactionId: null },
      ),
    ),
  )
  // Only what may have left is watched.
  const all = left.map((payout) => payout.id)
  await context.commit({
    write: (tx) => tx.pollJob.updateMany({ where: { id: { in: all } }, data: { nextAt: now(context) } }),
  })
}
