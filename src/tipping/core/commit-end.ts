import { AlreadyWritten, type Entry, type LedgerChange, LedgerUnavailable } from '../../ledger/ledger.ts'
import { isUnavailable } from '../../lib/database/database-errors.ts'
import { PaymentsError } from '../../payments-api/payments-api.ts'
import { persist } from './activity.ts'
import type { CoreContext } from './context.ts'
import type { Tx } from './database.ts'

/** The writes of an operation's end, or of one more thing learned of it. */
export interface EndChange {
  readonly entries: readonly Entry[]
  /** Updates the operation's record; throws Overtaken if somebody else has done so. */
  readonly write: (tx: Tx) => Promise<void>
}

/** Somebody else moved the record on: there is nothing left to write. */
export class Overtaken extends Error {}

/**
 * Writes what an operation that has begun cannot go on without: while the database is locked or full it is tried again until it is
 * durable, or the bot stops. Rejects like the ledger's `commit` for anything else.
 */
export async function commitDurably<T>(context: CoreContext, change: LedgerChange<Tx, T>): Promise<T> {
  return await whileDatabaseIsAway(context, () => context.commit(change))
}

/**
 * Does again what the database could not do, until it is done or the bot stops: it is locked or full, or a server that
 * is away comes back. For work that may be repeated: a failure in the middle begins it again. A provider that is away
 * is the task's own concern.
 */
export async function whileDatabaseIsAway<T>(context: CoreContext, task: () => Promise<T>): Promise<T> {
  const isAway = (error: unknown) => error instanceof LedgerUnavailable || isUnavailable(error)
  // Both are gone in the same words: "connect ECONNREFUSED".
  return await persist(context, (error) => !(error instanceof PaymentsError) && isAway(error), task)
}

/**
 * Writes what became of an operation. Facts learned from the provider are not lost while the database is locked or
 * full. The second of two that record an end changes nothing.
 */
export async function commitEnd(context: CoreContext, change: EndChange): Promise<void> {
  try {
    await commitDurably(context, change)
  } catch (error) {
    if (!(error instanceof AlreadyWritten) && !(error instanceof Overtaken)) throw error
  }
}
