import { join } from 'node:path'
import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import {
  type Database,
  type InspectedDatabase,
  inspectDatabase,
  openDatabase,
  recognizeFile,
} from '../../lib/database/database.ts'
import type { WhenCommitFails } from '../../lib/database/engine/watch-commits.ts'
import { type Prisma, PrismaClient } from '../generated/client.ts'

export type PaymentsClient = PrismaClient
export type PaymentsDatabase = Database<PrismaClient>
/** A transaction of the service's database, as `Ledger.commit` passes it to `write`. */
export type Tx = Prisma.TransactionClient

/** Creates a client on an engine's connections. */
type Connect = (adapter: SqlDriverAdapterFactory) => PrismaClient | Promise<PrismaClient>

const ABOUT = {
  variable: 'PAYMENTS_DATABASE_URL',
  folder: join(import.meta.dirname, '../../../prisma/payments'),
}

/**
 * Creates a client whose errors contain no source excerpt, because each query would have to search the stack for it.
 */
const create = async (adapter: SqlDriverAdapterFactory) =>
  new (await clientFor(adapter))({ adapter, errorFormat: 'minimal' })

/** Returns an engine's client class. PostgreSQL's class, which has the same types, is loaded only when it is used. */
export async function clientFor({ provider }: Pick<SqlDriverAdapterFactory, 'provider'>): Promise<typeof PrismaClient> {
  if (provider === 'sqlite') return PrismaClient
  return (await import('../generated/internal/class-postgres.ts')).getPrismaClientClass()
}

/**
 * Opens the service's database. `url` is PAYMENTS_DATABASE_URL: `file:` and a path, or `postgresql://…`. Throws
 * DatabaseProblem if the database cannot be opened.
 */
export function openPaymentsDatabase(
  url: string,
  connect: Connect = create,
  whenCommitFails?: WhenCommitFails,
): Promise<PaymentsDatabase> {
  return openDatabase({ url, ...ABOUT, connect, ...(whenCommitFails && { whenCommitFails }) })
}

/** Opens the database for reading only, even while the service runs. Throws DatabaseProblem if that fails. */
export function inspectPaymentsDatabase(url: string): Promise<InspectedDatabase<Tx>> {
  return inspectDatabase<Tx, PrismaClient>({ url, ...ABOUT, connect: create })
}

/**
 * Throws DatabaseProblem unless a file contains this book in a form that this version can open. Only reads the file.
 */
export function recognizePaymentsFile(url: string): Promise<void> {
  return recognizeFile({ url, ...ABOUT })
}
