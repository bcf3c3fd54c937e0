import type { SqlDriverAdapter, SqlQuery, Transaction } from '@prisma/driver-adapter-utils'

/**
 * Handles a failed COMMIT, with a file's name or an address without its password. Must not let the process continue:
 * ends the process, or throws in a test that only simulates one.
 */
export type WhenCommitFails = (name: string, error: unknown) => never

/**
 * Ends the process after a failed COMMIT. SQLite writes a transaction's frames to its log before it syncs the log and
 * before it extends the log's index. If one of these two fails, COMMIT reports an error, yet the next start may recover
 * the transaction. So the process ends without an answer, and the next start reads the outcome.
 */
export function endProcess(file: string, error: unknown): never {
  endWith(
    `The disk failed while a change was written to ${file} (${reasonOf(error)}). Nobody can know yet whether the change is kept, so nobody gets ` +
      'an answer, and this process ends. Free some space or replace the disk, then start again: the start finds out, and goes on from there.',
  )
}

/** Reports the reason and ends the process, at once and without answering anybody. */
export function endWith(why: string): never {
  try {
    console.error(why)
  } finally {
    process.exit(1)
  }
}

/** Calls `failed`, and nothing after it, if a COMMIT on this connection reports an error. */
export function watchCommits(adapter: SqlDriverAdapter, failed: (error: unknown) => never): void {
  const start = adapter.startTransaction.bind(adapter)
  adapter.startTransaction = async (isolation) => {
    const transaction: Transaction = await start(isolation)
    const [execute, commit] = [transaction.executeRaw.bind(transaction), transaction.commit.bind(transaction)]
    transaction.executeRaw = (query) => (isCommit(query) ? execute(query).catch(failed) : execute(query))
    // This driver leaves the statement to Prisma, but another driver or a later version may run it here.
    transaction.commit = () => commit().catch(failed)
    return transaction
  }
}

/** Whether a statement commits a transaction. */
export function isCommit({ sql }: SqlQuery): boolean {
  return /^\s*(COMMIT|END)\b/i.test(sql)
}

function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: { originalMessage?: string } }
  return cause?.originalMessage ?? String(error)
}
