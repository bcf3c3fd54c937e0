import { join } from 'node:path'
import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import { type Database, openDatabase } from '../../lib/database/database.ts'
import { type InspectedDatabase, inspectDatabase } from '../../lib/database/inspect-database.ts'
import type { WhenCommitFails } from '../../lib/database/watch-commits.ts'
import { type Prisma, PrismaClient } from '../generated/client.ts'

export type PaymentsClient = PrismaClient
export type PaymentsDatabase = Database<PrismaClient>
/** A transaction of the service's database, as `Ledger.commit` hands it to `write`. */
export type Tx = Prisma.TransactionClient

const ABOUT = {
  variable: 'PAYMENTS_DATABASE_URL',
  migrations: join(import.meta.dirname, '../../../prisma/payments/migrations'),
}

/** Errors without an excerpt of the source: to find its place, each query would look through the stack. */
const create = (adapter: SqlDriverAdapterFactory) => new PrismaClient({ adapter, errorFormat: 'minimal' })

/** Opens the service's database. `url` is PAYMENTS_DATABASE_URL: `file:` and a path. Throws DatabaseProblem. */
export function openPaymentsDatabase(
  url: string,
  connect = create,
  whenCommitFails?: WhenCommitFails,
): Promise<PaymentsDatabase> {
  return openDatabase({ url, ...ABOUT, connect, ...(whenCommitFails && { whenCommitFails }) })
}

/** Opens it only to look at it, also while the service runs. Throws DatabaseProblem. */
export function inspectPaymentsDatabase(url: string): Promise<InspectedDatabase<Tx>> {
  return inspectDatabase<Tx, PrismaClient>({ url, ...ABOUT, connect: create })
}
