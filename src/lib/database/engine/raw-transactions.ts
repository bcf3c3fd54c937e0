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

/** Runs queries and statements. Prisma's clients and transactions can do this, and so can a raw transaction. */
export interface RawClient {
  $queryRaw<T = unknown>(query: Sql): PromiseLike<T>
  $executeRaw(query: Sql): PromiseLike<number>
}

/** Runs queries that only read. Prisma’s clients can do this, and so can connections without Prisma. */
export type AskRaw = Pick<RawClient, '$queryRaw'>

/**
 * Runs statements in one transaction on the writing connection, without Prisma's query engine. Commits if `run`
 * resolves and rolls back if it rejects. Throws what `run` threw, and the driver's own errors. Statements that are
 * requested together reach the database in that order. Resolves or rejects after everything that was read and written
 * is durable.
 */
export type WriteRaw = <T>(run: (client: RawClient) => PromiseLike<T>, options?: RawOptions<T>) => Promise<T>

export interface RawOptions<T> {
  /** Called as soon as the next transaction could begin, which may be before this one is durable. */
  readonly released?: () => void
  /**
   * Statements that do the same as `run` and need no readings, and the result of `run`. A remote database first gets
   * all these statements in one message. If it refuses one of them, nothing was written, and `run` finds out why.
   */
  readonly atOnce?: { readonly statements: readonly Sql[]; readonly value: T }
}

/**
 * Prepares a flush. Must be called before anything is read or written. Resolves to a function that waits until all that
 * was read and written is durable.
 */
export type BeforeFlush = () => Promise<() => Promise<void>>

/** How a transaction becomes durable after its COMMIT has returned. */
export interface LaterFlush {
  readonly before: BeforeFlush
  /** Handles a committed transaction whose durability is unknown. Nothing may happen after this call. */
  readonly failed: (error: unknown) => never
}

/**
 * The flush of engines whose COMMIT is durable, and whose readers see only durable data: nothing remains to be done.
 */
const AT_COMMIT: LaterFlush = {
  before: async () => async () => {},
  failed: (error) => {
    throw error
  },
}

/**
 * Wraps Prisma's connections, of which the first also runs raw transactions. Prisma's transactions and raw ones wait
 * for each other, because the driver permits one transaction at a time on the connection.
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
        // The reason for the refusal may be data that is not durable yet.
        await flushed()
        throw error
      })
      try {
        await transaction.executeRaw(COMMIT)
      } catch (error) {
        // `watch-commits.ts` ends the process. If a test only simulates that, the connection is released.
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
 * Wraps connections for Prisma's reads. The first also runs direct queries, because Prisma's engine takes longer over a
 * statement than the database does. Rows come as the driver returns them: a time or a boolean has the engine's stored
 * form.
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

/** Captures the first connection that Prisma opens, for use without Prisma, too. */
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
    // The database itself rolls back when the disk is full or fails.
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

/** Converts rows to objects by column name. 64-bit integers are bigint. */
function rowsOf({ columnNames, columnTypes, rows }: SqlResultSet): Record<string, unknown>[] {
  const read = (value: unknown, column: number) =>
    value !== null && columnTypes[column] === ColumnTypeEnum.Int64 ? BigInt(value as string | number) : value
  return rows.map((row) => Object.fromEntries(columnNames.map((name, column) => [name, read(row[column], column)])))
}
