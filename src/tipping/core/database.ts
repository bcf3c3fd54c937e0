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

export type TippingClient = PrismaClient
export type TippingDatabase = Database<PrismaClient>
/** A transaction of the bot's database, as `Ledger.commit` passes it to `write`. */
export type Tx = Prisma.TransactionClient

/** A function that creates a client on an engine's connections. */
type Connect = (adapter: SqlDriverAdapterFactory) => PrismaClient | Promise<PrismaClient>

const ABOUT = {
  variable: 'TIPPING_DATABASE_URL',
  folder: join(import.meta.dirname, '../../../prisma/tipping'),
}

const create = async (adapter: SqlDriverAdapterFactory) => new (await clientFor(adapter))({ adapter })

/** Returns an engine's client. Loads PostgreSQL's client, which has the same types, only when that client is needed. */
export async function clientFor({ provider }: Pick<SqlDriverAdapterFactory, 'provider'>): Promise<typeof PrismaClient> {
  if (provider === 'sqlite') return PrismaClient
  return (await import('../generated/internal/class-postgres.ts')).getPrismaClientClass()
}

/**
 * Opens the bot's database. `url`: the value of TIPPING_DATABASE_URL, which is `file:` and a path, or `postgresql://…`.
 * Throws DatabaseProblem.
 */
export function openTippingDatabase(
  url: string,
  connect: Connect = create,
  whenCommitFails?: WhenCommitFails,
): Promise<TippingDatabase> {
  return openDatabase({ url, ...ABOUT, connect, ...(whenCommitFails && { whenCommitFails }) })
}

/** Opens the database for reading only, even while the bot runs. Throws DatabaseProblem. */
export function inspectTippingDatabase(url: string): Promise<InspectedDatabase<Tx>> {
  return inspectDatabase<Tx, PrismaClient>({ url, ...ABOUT, connect: create })
}

/**
 * Checks that a file contains a bot's book in a form that this version can open. Throws DatabaseProblem otherwise.
 * Changes nothing.
 */
export function recognizeTippingFile(url: string): Promise<void> {
  return recognizeFile({ url, ...ABOUT })
}
