import { OF_PROCESSES, watchForOthers } from '../../lib/beside-others.ts'
import type { Clock } from '../../lib/clock.ts'
import { openDataFolder } from '../../lib/data-folder.ts'
import { isPostgres } from '../../lib/database/url-kinds.ts'
import { lockFolder } from '../../lib/folder-lock.ts'
import type { LeaseRow } from '../../lib/leases.ts'
import { Problem } from '../../lib/problem.ts'
import { inspectPaymentsDatabase, openPaymentsDatabase } from '../../payments-service/core/database.ts'
import { inspectTippingDatabase, openTippingDatabase } from '../../tipping/core/database.ts'
import type { BackupConfig } from './contents.ts'
import { type Proven, proveRestored } from './prove-restored.ts'
import type { RestoreOptions } from './restore.ts'

/**
 * For books on a PostgreSQL server that its own tools have put back: proves them, and pauses the bot's outgoing payments as
 * `restore` does. `madeAt` is the moment that the books are of. Throws Problem when no book is on a server, when a process
 * works on one, or when they do not hold; then nothing is paused yet, and nothing may be started.
 */
export async function restoreInPlace(
  config: BackupConfig,
  { madeAt, notPaused, clock }: Omit<RestoreOptions, 'force'> & { readonly madeAt: Date },
): Promise<Proven> {
  const tipping = config.tippingDatabaseUrl
  const payments = config.provider ? undefined : config.service.databaseUrl
  if (![tipping, payments ?? ''].some(isPostgres)) {
    throw new Problem(
      '--in-place is for books on a PostgreSQL server. Of SQLite files, name the folder that npm run backup made.',
    )
  }
  if (madeAt.getTime() > clock.now()) {
    throw new Problem('--made-at lies in the future. Give the time at which the backup was made, in UTC.')
  }
  const unlock = lockFolder(openDataFolder(config.dataFolder), 'bot', 'service')
  try {
    await refuseBesideOthers(tipping, payments, clock)
    const books = { tipping, payments, folder: config.dataFolder }
    const otherwise = 'nothing may be started on them'
    return await proveRestored(books, { clock, notPaused, madeAt: madeAt.toISOString(), otherwise })
  } finally {
    unlock()
  }
}

/** Throws Problem when a process works on one of the books. */
async function refuseBesideOthers(tipping: string, payments: string | undefined, clock: Clock): Promise<void> {
  // To look makes nothing, so it says first if there is no book.
  await (await inspectTippingDatabase(tipping)).close()
  if (payments !== undefined) await (await inspectPaymentsDatabase(payments)).close()
  const bots = await openTippingDatabase(tipping)
  const services = payments === undefined ? undefined : await openPaymentsDatabase(payments)
  const leases = async (): Promise<LeaseRow[]> => [
    ...(await bots.read.lease.findMany({ where: OF_PROCESSES })),
    ...((await services?.read.lease.findMany({ where: OF_PROCESSES })) ?? []),
  ]
  try {
    const someWorkIn = await watchForOthers(leases, clock)
    if (!someWorkIn(await leases())) return
    throw new Problem('A bot or a service works on these books. Stop every one of them, and do this again.')
  } finally {
    await bots.close()
    await services?.close()
  }
}
