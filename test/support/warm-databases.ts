import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { warmPayments, warmTipping } from '../../proof/world/warm-clients.ts'
import type { Database } from '../../src/lib/database/database.ts'
import { openPaymentsDatabase } from '../../src/payments-service/core/database.ts'
import type { Databases } from '../../src/playground/world/databases.ts'
import { openTippingDatabase } from '../../src/tipping/core/database.ts'
import { databaseFor, onPostgres, type TestedBook } from './postgres/databases.ts'

/**
 * Databases for tests, opened by the product's own function, but faster: each begins as a copy of one that the
 * migrations created, with a client that has already compiled its queries. Migrating and compiling took more than half
 * of a short test.
 */

/** Returns a function that opens databases of one kind as copies of the first one. */
function fromTemplate<Client>(book: TestedBook, open: (url: string) => Promise<Database<Client>>) {
  const template = join(mkdtempSync(join(tmpdir(), 'template-')), 'migrated.sqlite')
  process.on('exit', () => rmSync(join(template, '..'), { recursive: true, force: true }))
  let made: Promise<void> | undefined
  return async (file: string): Promise<Database<Client>> => {
    if (onPostgres()) return await open(await databaseFor(file, book))
    made ??= open(`file:${template}`).then((database) => database.close())
    await made
    if (!existsSync(file)) copyFileSync(template, file)
    return await open(`file:${file}`)
  }
}

/** Opens the bot's database in `file`, which is new unless the file exists. */
export const warmTippingDatabase = fromTemplate('tipping', (url) => openTippingDatabase(url, warmTipping))
/** Opens the service's database in `file`, which is new unless the file exists. */
export const warmPaymentsDatabase = fromTemplate('payments', (url) => openPaymentsDatabase(url, warmPayments))

/** Opens both databases, for a world in `folder`. */
export async function openWarm(folder: string): Promise<Databases> {
  return {
    tipping: await warmTippingDatabase(join(folder, 'tipping.sqlite')),
    payments: await warmPaymentsDatabase(join(folder, 'payments.sqlite')),
  }
}
