import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import pg from 'pg'
import { type BeforeFlush, ROLLBACK } from '../engine/raw-transactions.ts'
import type { OneServer } from './one-server.ts'

/**
 * The statements that create the table `_commits`, whose row counts a book's commits. A writer's COMMIT returns before
 * the server's log is on the disk, so the book's lock is free immediately. Until the log is flushed, a crash of the
 * server undoes such a transaction, although others may have read it. So no answer about something written, read or
 * refused leaves this folder before a later flush.
 *
 * A flush that began with the number that a reader saw, or with a higher one, covers what that reader saw.
 */
export const COMMITS = `CREATE TABLE IF NOT EXISTS "_commits" ("id" INTEGER PRIMARY KEY NOT NULL CHECK ("id" = 1), "number" BIGINT NOT NULL);
INSERT INTO "_commits" ("id", "number") VALUES (1, 0) ON CONFLICT DO NOTHING`

/**
 * The last statement before a writer's COMMIT, under the book's lock. A transaction that wrote nothing is not counted.
 */
export const COUNT_COMMIT = {
  name: 'count_commit',
  text: `UPDATE "_commits" SET "number" = "number" + 1 WHERE "id" = 1 AND pg_current_xact_id_if_assigned() IS NOT NULL`,
}

/**
 * Flushes the commits after the last durable number. A commit waits for the disk, and for a synchronous standby, only
 * if its transaction has an id and wrote to the log itself. An empty transaction does not wait, but one that writes a
 * message to the log does. The log is flushed in order, so everything before the message is durable with it.
 */
const flushSince = (durable: bigint) =>
  `SELECT "number", CASE WHEN "number" > ${durable} THEN pg_logical_emit_message(true, 'satchel', '') END FROM "_commits"`

/** The flush for which an answer waits cannot be proven. */
class FlushLost extends Error {
  override name = 'FlushLost'

  constructor(cause: unknown) {
    // A reader's caller gets this error: the database was unreachable.
    super(`connection closed before a flush: ${String(cause)}`, { cause })
  }
}

/** The code of warnings. A server's mere notices have the code of success. */
const WARNING = '01000'

/**
 * Runs a query, and throws the server's warning if there is one. If somebody on the server cancels the wait for a
 * synchronous standby, the flush is answered as done, and only a warning says that no standby has it.
 */
async function withoutWarning(client: pg.Client, sql: string): Promise<pg.QueryResult<{ number: string }>> {
  let warning: Error | undefined
  const hear = ({ code, message }: { code?: string | undefined; message?: string | undefined }) => {
    if (code === WARNING) warning = new Error(message)
  }
  client.on('notice', hear)
  try {
    const result = await client.query<{ number: string }>(sql)
    if (warning !== undefined) throw warning
    return result
  } finally {
    client.off('notice', hear)
  }
}

/**
 * A connection that flushes for everybody who waits. It takes over no state from an earlier connection, because the
 * server may have crashed in between.
 */
class FlushConnection {
  readonly #client: pg.Client
  /** The number up to which all commits are durable. */
  #durable = -1n
  #running: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined

  constructor(client: pg.Client) {
    this.#client = client
  }

  /** Resolves after a flush that began after this call. Callers that come while a flush runs share the next flush. */
  flushed(): Promise<void> {
    const begin = () => {
      this.#next = undefined
      this.#running = this.#flush()
      return this.#running
    }
    this.#next ??= this.#running.then(begin, begin)
    return this.#next
  }

  async #flush(): Promise<void> {
    // A simple query, because its answer comes after its commit.
    const { rows } = await withoutWarning(this.#client, flushSince(this.#durable)).catch((error: unknown) => {
      throw new FlushLost(error)
    })
    const [row] = rows
    if (row === undefined) throw new FlushLost('the count of commits is missing from the book')
    this.#durable = BigInt(row.number)
  }
}

/** The flushes of a process on one book. */
export class Flushes {
  readonly #config: pg.ClientConfig
  readonly #server: OneServer
  #open: { readonly client: pg.Client; readonly connection: Promise<FlushConnection> } | undefined

  constructor(config: pg.ClientConfig, server: OneServer) {
    this.#config = config
    this.#server = server
  }

  /**
   * Prepares a flush. Must be called before any reading or writing. Resolves to a function that waits for the flush
   * afterwards, and throws if the flush cannot be proven. A connection that has stayed open proves that the server has
   * not crashed. A newer connection might flush only what a crash has left, or flush another server.
   */
  readonly before: BeforeFlush = async () => {
    this.#open ??= this.#connect()
    const { connection } = this.#open
    const flushes = await connection
    const { changes } = this.#server
    return async () => {
      await flushes.flushed()
      if (this.#server.changes !== changes) throw new FlushLost('the address leads to a different server')
    }
  }

  async close(): Promise<void> {
    const client = this.#open?.client
    await client?.end().catch(() => {})
  }

  #connect() {
    const client = new pg.Client(this.#config)
    const lost = () => {
      if (this.#open?.client === client) this.#open = undefined
    }
    client.on('error', lost)
    client.on('end', lost)
    const open = async () => {
      await client.connect()
      await this.#server.admit(client)
      return new FlushConnection(client)
    }
    const connection = open().catch((error: unknown) => {
      lost()
      throw new FlushLost(error)
    })
    return { client, connection }
  }
}

/** Creates connections that answer each statement after a flush, even in a transaction. */
export function flushedReaders(factory: SqlDriverAdapterFactory, before: BeforeFlush): SqlDriverAdapterFactory {
  return {
    ...factory,
    async connect() {
      const adapter = await factory.connect()
      const start = adapter.startTransaction.bind(adapter)
      adapter.startTransaction = async (isolation) => flushStatements(await start(isolation), before)
      return flushStatements(adapter, before)
    },
  }
}

/**
 * Creates the writing connection for Prisma: every end of a transaction, and each statement outside one, waits for a
 * flush.
 */
export function flushedWriter(
  factory: SqlDriverAdapterFactory,
  before: BeforeFlush,
  failed: (error: unknown) => never,
): SqlDriverAdapterFactory {
  return {
    ...factory,
    async connect() {
      const inner = await factory.connect()
      const adapter: typeof inner = Object.create(inner)
      adapter.startTransaction = async (isolation) => {
        const transaction = await inner.startTransaction(isolation)
        const flushed = await before().catch(async (error: unknown) => {
          await transaction.executeRaw(ROLLBACK).catch(() => {})
          await transaction.rollback()
          throw error
        })
        const [commit, rollback] = [transaction.commit.bind(transaction), transaction.rollback.bind(transaction)]
        // The connection is free before the flush. Prisma would hide a rollback's error behind a refusal that nobody
        // may get.
        transaction.commit = () => commit().then(flushed).catch(failed)
        transaction.rollback = () => rollback().then(flushed).catch(failed)
        return transaction
      }
      return flushStatements(adapter, before)
    },
  }
}

interface Statements {
  queryRaw(query: never): Promise<unknown>
  executeRaw(query: never): Promise<unknown>
}

/** Makes a connection answer each statement, even a failed one, only after a flush. */
function flushStatements<Target extends Statements>(target: Target, before: BeforeFlush): Target {
  for (const name of ['queryRaw', 'executeRaw'] as const) {
    const ask = target[name].bind(target)
    target[name] = (async (query: never) => {
      const flushed = await before()
      try {
        return await ask(query)
      } finally {
        await flushed()
      }
    }) as Target[typeof name]
  }
  return target
}
