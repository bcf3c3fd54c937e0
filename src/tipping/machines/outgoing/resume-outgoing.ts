import { now } from '../../core/context.ts'
import type { OutgoingContext } from './outgoing.ts'
import { recordOutcome } from './record-outcome.ts'

const INTERRUPTED = { kind: 'failed', because: 'interrupted', reason: null } as const
const STOPPED = { kind: 'unknown', evidence: 'the bot was stopped while it was sent' } as const

/**
 * Takes up what an earlier process left. Reserved and never marked: nothing can have left, it goes back. Marked, and no
 * answer recorded: it may have left, so it is polled at once.
 */
export async function resumeOutgoing(context: OutgoingContext): Promise<void> {
  for (const kind of context.outgoingKinds) {
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

/** Whatever is unknown is polled at every start: its polls may have ended, or wait for long, by a clock that was wrong. */
export async function pollUnknown({ database, commit, clock, outgoingKinds }: OutgoingContext): Promise<void> {
  const at = clock.now()
  const late = { nextAt: { gt: new Date(at + 3_600_000) } }
  for (const kind of outgoingKinds) {
    const unknown = await kind.table(database.read).findMany({ where: { state: 'unknown' } })
    const where = { id: { in: unknown.map(({ id }) => id) }, OR: [{ nextAt: null }, late] }
    await commit({ write: (tx) => tx.pollJob.updateMany({ where, data: { nextAt: new Date(at) } }) })
  }
}
