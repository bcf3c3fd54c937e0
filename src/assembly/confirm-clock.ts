import { existsSync } from 'node:fs'
import type { Config } from '../config/config.ts'
import { assertTogether } from '../lib/book-clock.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import type { Database } from '../lib/database/database.ts'
import { isPostgres } from '../lib/database/url-kinds.ts'
import { openPaymentsDatabase } from '../payments-service/core/database.ts'
import { openTippingDatabase } from '../tipping/core/database.ts'
import { backupFilesOf } from './backup/contents.ts'

/** A book in which the wall clock was confirmed. */
export interface ConfirmedBook {
  readonly side: 'bot' | 'service'
  /**
   * The newest time that the book has stored; undefined if it has not stored any yet, and therefore accepts any clock.
   */
  readonly at: Date | undefined
}

/**
 * Confirms in every book of this installation that the wall clock is right. The bot and the service use the
 * confirmation within a minute, or at a start within six hours. Can be called while they run. Throws DatabaseProblem if
 * a database cannot be opened, and ClocksApart if the wall clock differs by minutes from a database server's clock.
 */
export async function confirmClock(
  config: Pick<Config, 'provider' | 'service' | 'dataFolder' | 'tippingDatabaseUrl'>,
  clock: Clock,
): Promise<ConfirmedBook[]> {
  const there = backupFilesOf(config).filter(({ kind, file }) => kind === 'database' && existsSync(file))
  const has = (name: string, url: string) => isPostgres(url) || there.some((file) => file.name === name)
  const confirmedAt = new Date(clock.now())
  const confirmed: ConfirmedBook[] = []
  if (has('tipping.sqlite', config.tippingDatabaseUrl)) {
    const database = await openTippingDatabase(config.tippingDatabaseUrl)
    await closing(database, async () => {
      await assertRight(clock, database)
      await database.write.$transaction((tx) => tx.bookTime.updateMany({ data: { confirmedAt } }))
      confirmed.push({ side: 'bot', at: (await database.read.bookTime.findFirst())?.at })
    })
  }
  if (!config.provider && has('payments.sqlite', config.service.databaseUrl)) {
    const database = await openPaymentsDatabase(config.service.databaseUrl)
    await closing(database, async () => {
      await assertRight(clock, database)
      await database.write.$transaction((tx) => tx.bookTime.updateMany({ data: { confirmedAt } }))
      confirmed.push({ side: 'service', at: (await database.read.bookTime.findFirst())?.at })
    })
  }
  return confirmed
}

/**
 * Throws ClocksApart if the system's clock differs by minutes from the database server's. A test's clock is not
 * compared.
 */
function assertRight(clock: Clock, { serverTime }: Pick<Database<unknown>, 'serverTime'>): Promise<void> {
  return assertTogether(clock, clock === systemClock ? serverTime : undefined)
}

async function closing(database: Pick<Database<unknown>, 'close'>, use: () => Promise<void>): Promise<void> {
  try {
    await use()
  } finally {
    await database.close()
  }
}
