import type { TippingContext } from '../context.ts'
import { recordOutcome } from './record-withdrawal.ts'

/**
 * Takes up what an earlier process left. Reserved and never marked: nothing can have left, it goes back. Marked, and no
 * answer recorded: it may have left, so it is looked into. What the provider is known to have is watched anyway.
 */
export async function resumeWithdrawals(context: TippingContext): Promise<void> {
  const left = await context.database.read.withdrawal.findMany({
    where: { OR: [{ state: 'reserved' }, { state: 'sending', remoteId: null }] },
  })
  await Promise.all(
    left.map((withdrawal) =>
      recordOutcome(
        context,
        withdrawal,
        withdrawal.state === 'reserved'
          ? { kind: 'returned', because: 'interrupted', reason: null }
          : { kind: 'unknown', evidence: 'the bot was stopped while it was sent' },
      ),
    ),
  )
  const nextAt = new Date(context.clock.now())
  const all = left.map(({ id }) => id)
  await context.commit({ write: (tx) => tx.pollJob.updateMany({ where: { id: { in: all } }, data: { nextAt } }) })
}
