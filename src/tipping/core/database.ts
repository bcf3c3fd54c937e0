import { join } from 'node:path'
import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import { type Database, openDatabase } from '../../lib/database/database.ts'
import { type InspectedDatabase, inspectDatabase } from '../../lib/database/inspect-database.ts'
import type { WhenCommitFails } from '../../lib/database/watch-commits.ts'
import { type Prisma, PrismaClient } from '../generated/client.ts'

export type TippingClient = PrismaClient
export type TippingDatabase = Database<PrismaClient>
/** A transaction of the bot's database, as `Ledger.commit` hands it to `write`. */
export type Tx = Prisma.TransactionClient

const ABOUT = {
  variable: 'TIPPING_DATABASE_URL',
  migrations: join(import.meta.dirname, '../../../prisma/tipping/migrations'),
}

const create = (adapter: SqlDriverAdapterFactory) => new PrismaClient({ adapter })

/** Opens the bot's database. `url` is TIPPING_DATABASE_URL: `file:` and a path. Throws DatabaseProblem. */
export function openTippingDatabase(
  url: string,
  connect = create,
  whenCommitFails?: WhenCommitFails,
): Promise<TippingDatabase> {
  return openDatabase({ url, ...ABOUT, connect, ...(whenCommitFails && { whenCommitFails }) })
}

/** Opens it only to look at it, also while the bot runs. Throws DatabaseProblem. */
export function inspectTippingDatabase(url: string): Promise<InspectedDatabase<Tx>> {
  return inspectDatabase<Tx, PrismaClient>({ url, ...ABOUT, connect: create })
}
