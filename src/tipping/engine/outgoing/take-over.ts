import { commitEnd, Overtaken } from '../../core/commit-end.ts'
import { now } from '../../core/context.ts'
import type { OutgoingContext, OutgoingKind, OutgoingRow } from './outgoing.ts'
import { changeForOutcome } from './record-outcome.ts'
import { INTERRUPTED } from './send-outgoing.ts'

const STOPPED = { kind: 'unknown', evidence: 'the bot was stopped while it was sent' } as const

/**
 * Takes over the operations of bots that are gone, but never those of a living bot. A reserved operation that was never
 * marked cannot have left: its sum goes back, unless its kind has another bot send it. A marked operation without a
 * recorded answer may have left, so it is polled immediately.
 */
export async function takeOverOutgoing(context: OutgoingContext): Promise<void> {
  const { database, ownership, logger, commit } = context
  for (const kind of context.outgoingKinds) {
    const where = { state: { in: ['reserved', 'sending'] }, ...(await ownership.nobodysIn(database.read)) }
    const left = (await kind.table(database.read).findMany({ where })).filter(
      (row) => !kind.isOpen?.(row) && !(row.state === 'reserved' && kind.isResumed?.(row)),
    )
    if (left.length === 0) continue
    logger.info({ kind: kind.name, rows: left.length }, 'what a bot that is gone has left is taken over')
    await Promise.all(left.map((row) => takeOver(context, kind, row)))
    const ids = { id: { in: left.map(({ id }) => id) } }
    await commit({ write: (tx) => tx.pollJob.updateMany({ where: ids, data: { nextAt: now(context) } }) })
  }
}

/**
 * Takes over one operation. The transaction that records the operation's end also checks that no living process owns
 * the row, so that the former owner can no longer change it.
 */
async function takeOver(context: OutgoingContext, kind: OutgoingKind, row: OutgoingRow): Promise<void> {
  const change = changeForOutcome(context, kind, row, row.state === 'reserved' ? INTERRUPTED : STOPPED)
  await commitEnd(context, {
    ...change,
    write: async (tx) => {
      const { nobodys, mine } = await context.ownership.takeOverIn(tx)
      const free = { id: row.id, state: row.state, ...nobodys }
      if ((await kind.table(tx).findFirst({ where: free })) === null) throw new Overtaken(`${row.id} is somebody's`)
      await change.write(tx)
      await kind.table(tx).updateMany({ where: { id: row.id }, data: mine })
    },
  })
}

/**
 * Polls unknown payments at every start, because a wrong clock may have ended their polls or delayed them for a long
 * time.
 */
export async function pollUnknown({ database, commit, clock, outgoingKinds }: OutgoingContext): Promise<void> {
  const at = clock.now()
  const late = { nextAt: { gt: new Date(at + 3_600_000) } }
  for (const kind of outgoingKinds) {
    const unknown = await kind.table(database.read).findMany({ where: { state: 'unknown' } })
    const where = { id: { in: unknown.map(({ id }) => id) }, OR: [{ nextAt: null }, late] }
    await commit({ write: (tx) => tx.pollJob.updateMany({ where, data: { nextAt: new Date(at) } }) })
  }
}
