import { now, type TippingContext } from '../context.ts'
import type { OutgoingKind } from './outgoing.ts'
import { recordOutcome } from './record-outcome.ts'

const INTERRUPTED = { kind: 'failed', because: 'interrupted', reason: null } as const
const STOPPED = { kind: 'unknown', evidence: 'the bot was stopped while it was sent' } as const

/**
 * Takes up what an earlier process left. Reserved and never marked: nothing can have left, it goes back. Marked, and no
 * answer recorded: it may have left, so it is polled at once.
 */
export async function resumeOutgoing(context: TippingContext, kinds: readonly OutgoingKind[]): Promise<void> {
  for (const kind of kinds) {
    const begun = await kind
      .table(context.database.read)
      .findMany({ where: { state: { in: ['reserved', 'sending'] } } })
    const left = begun.filter((row) => !kind.isOpen?.(row))
    await Promise.all(
      left.map((row) => recordOutcome(context, kind, row, row.state === 'reserved' ? INTERRUPTED : STOPPED)),
    )
    const where = { id: { in: left.map(({ id }) => id) } }
    await context.commit({ write: (tx) => tx.pollJob.updateMany({ where, data: { nextAt: now(context) } }) })
  }
}
