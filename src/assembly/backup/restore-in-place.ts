import { isPostgres } from '../../lib/database/url-kinds.ts'
import { Problem } from '../../lib/problem.ts'
import { acceptBook } from '../books/check-books.ts'
import { holdBooks } from '../books/hold-books.ts'
import type { BackupConfig } from './contents.ts'
import { type Proven, proveRestored } from './prove-restored.ts'
import { refuseWhileRunning } from './refuse-while-running.ts'
import type { RestoreOptions } from './restore.ts'

/**
 * Completes the restoration of books that PostgreSQL's own tools have restored on a server: proves the books, and
 * pauses the bot's outgoing payments as `restore` does. `madeAt` is when the backup was made. Throws Problem if no book
 * is on a server, `madeAt` is in the future, a process uses a book, or a proof fails. Payments are not paused then, so
 * nothing may be started on the books.
 */
export async function restoreInPlace(
  config: BackupConfig,
  { madeAt, notPaused, clock }: Omit<RestoreOptions, 'force'> & { readonly madeAt: Date },
): Promise<Proven> {
  const tipping = config.tippingDatabaseUrl
  const payments = config.provider ? undefined : config.service.databaseUrl
  if (![tipping, payments ?? tipping].some(isPostgres)) {
    throw new Problem(
      '--in-place is for books on a PostgreSQL server. To restore SQLite files, leave --in-place out, and give the folder that npm run backup made.',
    )
  }
  if (madeAt.getTime() > clock.now()) {
    throw new Problem('--made-at is in the future. Give the time at which the backup was made, in UTC.')
  }
  const unlock = holdBooks(config, ['bot', 'service'])
  try {
    await refuseWhileRunning({ tipping, payments }, clock)
    const books = { tipping, payments, folder: config.dataFolder }
    const otherwise = 'Start nothing on these books.'
    const proven = await proveRestored(books, { clock, notPaused, madeAt: madeAt.toISOString(), otherwise })
    acceptBook(config, 'bot')
    if (payments !== undefined) acceptBook(config, 'service')
    return proven
  } finally {
    unlock()
  }
}
