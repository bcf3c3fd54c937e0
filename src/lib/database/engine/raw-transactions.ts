import type { Sql } from '@prisma/client/runtime/client'
import {
  type ArgType,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlDriverAdapterFactory,
  type SqlQuery,
  type SqlResultSet,
  type Transaction,
} from '@prisma/driver-adapter-utils'

/** Asks and runs statements. Prisma's clients and transactions do; so does a raw transaction. */
export interface RawClient {
  $queryRaw<T = unknown>(query: Sql): PromiseLike<T>
  $executeRaw(query: Sql): PromiseLike<number>
}

/** Asks statements that only read. Prisma’s clients do; so do connections without it. */
export type AskRaw = Pick<RawClient, '$queryRaw'>

/**
 * Runs statements in one transaction on the connection that writes, without Prisma's query engine between. It commits when
 * `run` resolves and rolls back when it rejects. Throws what `run` threw, and the driver's own errors. Statements that are
 * asked for together reach the database in that order. It resolves, and rejects, when all that was read and written is
 * durable.
 */
export type WriteRaw = <T>(run: (client: RawClient) => PromiseLike<T>, options?: RawOptions<T>) => Promise<T>

export interface RawOptions<T> {
  /** Is called as soon as the next transaction could begin: before this one is durable, where that takes longer. */
  readonly released?: () => void
  /**
   * Statements that do the same as `run`, and rest on nothing that is read; and what it would resolve to. A database that is a journey
   * away is asked them first, all at once. If it refuses one of them, nothing was written, and `run` finds out why.
   */
  readonly atOnce?: { readonly statements: readonly Sql[]; readonly value: T }
}

/** Asked before anything is read or written, resolves to what waits afterwards until all of it is durable. */
export type BeforeFlush = () => Promise<() => Promise<void>>

/** How a transaction becomes durable whose COMMIT returns before it is. */
export interface LaterFlush {
  readonly before: BeforeFlush
  /** Handles a committed transaction whose durability is unknown: nothing may happen after it. */
  readonly failed: (error: unknown) => never
}

/** Where COMMIT itself is durable, and nobody reads what is not. */
const AT_COMMIT: LaterFlush = {
  before: async () => async () => {},
  failed: (error) => {
    throw error
  },
}

/**
 * Connections that Prisma uses, of which the first one also takes raw transactions. Both kinds wait for each other: the
 * driver lets one transaction at a time onto the connection.
 */
export function withRawTransactions(
  factory: SqlDriverAdapterFactory,
  { before, failed }: LaterFlush = AT_COMMIT,
): {
  readonly factory: SqlDriverAdapterFactory
  readonly writeRaw: WriteRaw
} {
  const first = withFirst(factory)
  return {
    factory: first.factory,
    async writeRaw(run, { released } = {}) {
      const transaction = await first.connection().startTransaction()
      let flushed = async () => {}
      const begin = async (client: RawClient) => {
        flushed = await before()
        return await run(client)
      }
      const value = await runOrRollBack(transaction, begin).catch(async (error: unknown) => {
        // Why it was refused may be something that is not durable yet.
        await flushed()
        throw error
      })
      try {
        await transaction.executeRaw(COMMIT)
      } catch (error) {
        // `watch-commits.ts` ends the process; where one is only played, the connection is given back.
        await transaction.rollback()
        throw error
      }
      await transaction.commit()
      released?.()
      await flushed().catch(failed)
      return value
    },
  }
}

/**
 * Connections for Prisma's reads. The first also takes direct queries: Prisma's engine takes longer over a statement
 * than the database does. Rows come as the driver has them: a time or a yes or no is whatever the engine keeps.
 */
export function withRawReading(factory: SqlDriverAdapterFactory): {
  readonly factory: SqlDriverAdapterFactory
  readonly readRaw: AskRaw
} {
  const first = withFirst(factory)
  return {
    factory: first.factory,
    readRaw: {
      async $queryRaw(query) {
        return await clientOf(first.connection()).$queryRaw(query)
      },
    },
  }
}

const COMMIT: SqlQuery = { sql: 'COMMIT', args: [], argTypes: [] }
export const ROLLBACK: SqlQuery = { sql: 'ROLLBACK', args: [], argTypes: [] }

/** The first connection that Prisma opens, to be used without it, too. */
function withFirst(factory: SqlDriverAdapterFactory) {
  let adapter: SqlDriverAdapter | undefined
  return {
    factory: {
      ...factory,
      async connect() {
        const connected = await factory.connect()
        adapter ??= connected
        return connected
      },
    },
    connection(): SqlDriverAdapter {
      if (adapter === undefined) throw new Error('the database is not connected yet')
      return adapter
    },
  }
}

async function runOrRollBack<T>(transaction: Transaction, run: (client: RawClient) => PromiseLike<T>): Promise<T> {
  try {
    return await run(clientOf(transaction))
  } catch (error) {
    // The database itself has rolled back when the disk is full or failed.
    await transaction.executeRaw(ROLLBACK).catch(() => {})
    await transaction.rollback()
    throw error
  }
}

function clientOf(transaction: Pick<Transaction, 'provider' | 'queryRaw' | 'executeRaw'>): RawClient {
  const queryOf = (query: Sql): SqlQuery => ({
    sql: transaction.provider === 'postgres' ? query.text : query.sql,
    args: query.values,
    argTypes: query.values.map(argTypeOf),
  })
  return {
    $queryRaw: async <T>(query: Sql) => rowsOf(await transaction.queryRaw(queryOf(query))) as T,
    $executeRaw: (query) => transaction.executeRaw(queryOf(query)),
  }
}

function argTypeOf(value: unknown): ArgType {
  const scalarType = typeof value === 'string' ? 'string' : typeof value === 'bigint' ? 'bigint' : 'int'
  return { scalarType, arity: 'scalar' }
}

/** Rows by the names of their columns. Integers of 64 bits are bigint. */
function rowsOf({ columnNames, columnTypes, rows }: SqlResultSet): Record<string, unknown>[] {
  const read = (value: unknown, column: number) =>
    value !== null && columnTypes[column] === ColumnTypeEnum.Int64 ? BigInt(value as string | number) : value
  return rows.map((row) => Object.fromEntries(columnNames.map((name, column) => [name, read(row[column], column)])))
}
