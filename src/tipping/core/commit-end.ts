import { AlreadyWritten, type Entry, type LedgerChange, LedgerUnavailable } from '../../ledger/ledger.ts'
import { isUnavailable } from '../../lib/database/database-errors.ts'
import { PaymentsError } from '../../payments-api/payments-api.ts'
import { persist } from './activity.ts'
import type { CoreContext } from './context.ts'
import type { Tx } from './database.ts'

/** The writes for an operation's outcome, or for another fact about it. */
export interface EndChange {
  readonly entries: readonly Entry[]
  /** Updates the operation's record. Throws Overtaken if somebody else has changed the record. */
  readonly write: (tx: Tx) => Promise<void>
}

/** Thrown because somebody else has changed the record, so nothing is left to write. */
export class Overtaken extends Error {}

/**
 * Writes a change without which a started operation cannot continue. While the database is locked, full or unreachable,
 * tries again until the change is durable or the bot stops. For any other error, rejects as the ledger's `commit` does.
 */
export async function commitDurably<T>(context: CoreContext, change: LedgerChange<Tx, T>): Promise<T> {
  return await whileDatabaseIsAway(context, () => context.commit(change))
}

/**
 * Repeats a task while the database is locked, full or unreachable, until the task succeeds or the bot stops. Use this
 * function only for repeatable work: a failure in the middle starts the task again. The task itself must handle an
 * unreachable provider.
 */
export async function whileDatabaseIsAway<T>(context: CoreContext, task: () => Promise<T>): Promise<T> {
  const isAway = (error: unknown) => error instanceof LedgerUnavailable || isUnavailable(error)
  // An unreachable database and an unreachable provider report the same words: "connect ECONNREFUSED".
  return await persist(context, (error) => !(error instanceof PaymentsError) && isAway(error), task)
}

/**
 * Writes an operation's outcome. Tries again while the database is locked or full, so that facts from the provider are
 * not lost. If two callers record an end, the second one changes nothing.
 */
export async function commitEnd(context: CoreContext, change: EndChange): Promise<void> {
  try {
    await commitDurably(context, change)
  } catch (error) {
    if (!(error instanceof AlreadyWritten) && !(error instanceof Overtaken)) throw error
  }
}
