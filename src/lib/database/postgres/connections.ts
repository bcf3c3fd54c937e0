import { PrismaPg } from '@prisma/adapter-pg'
import type {
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
  SqlQuery,
  SqlQueryable,
  Transaction,
} from '@prisma/driver-adapter-utils'
import pg from 'pg'
import { systemClock } from '../../clock.ts'
import type { Session } from '../engine/migrations.ts'
import { storable } from '../engine/row-words.ts'
import { isCommit } from '../engine/watch-commits.ts'
import type { Address } from './address.ts'
import { COUNT_COMMIT } from './flushes.ts'
import type { OneServer } from './one-server.ts'

/** The time of silence, in milliseconds, after which a server counts as unreachable. */
const CONNECT_TIMEOUT_MS = 10_000

/** The settings of every connection to a book. Times are UTC. */
const SETTINGS = {
  TimeZone: 'UTC',
  // Times are read as texts, here and in triggers. A server, a database or a user may have another style.
  DateStyle: 'ISO',
  // Nobody waits longer for another process's batch. Then the change is refused, and may be tried again.
  lock_timeout: '30s',
  // A process that hangs inside a transaction must not block everybody else.
  idle_in_transaction_session_timeout: '60s',
  // Only a warning reports that the wait for a standby was cancelled.
  client_min_messages: 'warning',
} as const

/** The settings of a read-only connection. Each of its transactions sees the book as of one moment. */
const READ_ONLY = { default_transaction_read_only: 'on', default_transaction_isolation: 'repeatable\\ read' } as const

function configOf({ connectionString, schema }: Address, settings: Readonly<Record<string, string>>): pg.ClientConfig {
  const all = { search_path: schema, ...SETTINGS, ...settings }
  const options = Object.entries(all)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
  return { connectionString, options, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, keepAlive: true }
}

/** A connection for the engine's own statements. */
export interface OpenSession extends Session {
  readonly client: pg.Client
  close(): Promise<void>
}

export async function openSession(address: Address): Promise<OpenSession> {
  const client = new pg.Client(configOf(address, { idle_in_transaction_session_timeout: '0' }))
  // A running query reports the loss. Between two statements nobody needs to know.
  client.on('error', () => {})
  await client.connect()
  return {
    client,
    run: async (sql) => void (await client.query(sql)),
    rows: async (sql) => (await client.query({ text: sql, rowMode: 'array' })).rows,
    close: () => client.end().catch(() => {}),
  }
}

/** Opens a connection for the engine's own statements while `use` runs. */
export async function withSession<T>(
  address: Address,
  use: (session: Session, client: pg.Client) => Promise<T>,
): Promise<T> {
  const session = await openSession(address)
  try {
    return await use(session, session.client)
  } finally {
    await session.close()
  }
}

/**
 * Returns the configuration of a connection that flushes the log, with a `synchronous_commit` that waits for the disk.
 * This setting is always explicit: the server's own setting may change meanwhile, and may differ on the server after a
 * failover.
 */
export function flushingConfig(address: Address, durability: string): pg.ClientConfig {
  return configOf(address, { synchronous_commit: durability })
}

/**
 * Returns the configuration of a connection that cannot write. Much time may pass between two queries of a transaction.
 */
export function readingConfig(address: Address): pg.ClientConfig {
  return configOf(address, { ...READ_ONLY, idle_in_transaction_session_timeout: '0' })
}

/** Returns connections that cannot write, for `most` readers at once. */
export function readers(address: Address, most: number, server?: OneServer): PooledFactory {
  return factory(address, { ...readingConfig(address), max: most }, server)
}

/**
 * The settings of a writer, which finds few rows by their keys in growing tables. The server caches a statement's plan:
 * a plan that was made while a table was empty reads the whole table, until somebody analyses the table.
 */
const BY_KEY = { enable_seqscan: 'off', enable_hashjoin: 'off', enable_mergejoin: 'off' } as const

/** The parts that a writer needs besides its connection. */
export interface Writing {
  /** The book's lock, which a writer holds until COMMIT. See `lockOf`. */
  readonly lock: string
  /** The `synchronous_commit` of a transaction that sets none. */
  readonly durability: string
  /** The one server to which all connections lead. */
  readonly server: OneServer
  /** Handles a COMMIT with an unknown outcome. Nothing may happen after this call. */
  readonly failed: (error: unknown) => never
}

/**
 * Creates the only writing connection. Each transaction is alone in the book from its first statement to its COMMIT.
 * Statements that are requested together are sent together, so the server’s answers take one round trip.
 */
export function writer(address: Address, { lock, durability, server, failed }: Writing): PooledFactory {
  const config = configOf(address, { synchronous_commit: durability, ...BY_KEY })
  const inner = factory(address, { ...config, pipeline: true, max: 1, idleTimeoutMillis: 0 }, server)
  return {
    ...inner,
    async connect() {
      const adapter = await inner.connect()
      const start = adapter.startTransaction.bind(adapter)
      adapter.startTransaction = async (isolation) => watched(await locked(await start(isolation), lock), failed)
      return adapter
    },
  }
}

/** Satchel's own numbers among a database's advisory locks. */
const [WRITING, MIGRATING] = [1_396_790_339, 1_396_790_340]

/**
 * Returns statements that wait until nobody else writes to a schema's book, or migrates it. A writer releases its lock
 * at COMMIT, without waiting for the disk: `flushes.ts`.
 */
export function lockOf(schema: string): { readonly toWrite: string; readonly toMigrate: string } {
  return {
    toWrite: `SELECT set_config('synchronous_commit', 'off', true), pg_advisory_xact_lock(${WRITING}, hashtext('${schema}'))`,
    toMigrate: `SELECT pg_advisory_lock(${MIGRATING}, hashtext('${schema}'))`,
  }
}

async function locked(transaction: Transaction, lock: string): Promise<Transaction> {
  try {
    await transaction.executeRaw({ sql: lock, args: [], argTypes: [] })
    return transaction
  } catch (error) {
    await transaction.executeRaw({ sql: 'ROLLBACK', args: [], argTypes: [] }).catch(() => {})
    await transaction.rollback()
    throw error
  }
}

/** The server had given the transaction up before its COMMIT, to which it then responds without an error. */
export class GivenUp extends Error {
  override name = 'GivenUp'
}

/**
 * Calls `failed` if a COMMIT gets no answer. After a failed statement, the server gives the transaction up, even if the
 * error was caught: COMMIT then rolls back, and reports that only in its answer. Here such an answer becomes an error.
 */
function watched(transaction: Transaction, failed: (error: unknown) => never): Transaction {
  const execute = transaction.executeRaw.bind(transaction)
  const { client } = transaction as unknown as { readonly client: pg.PoolClient }
  transaction.executeRaw = async (query) => {
    if (!isCommit(query)) return await execute(query)
    // If this statement or an earlier one fails, COMMIT rolls back.
    const [, ended] = await Promise.allSettled([client.query(COUNT_COMMIT), client.query('COMMIT')])
    if (ended.status === 'rejected') return failed(ended.reason)
    if (ended.value.command !== 'COMMIT')
      throw new GivenUp('an earlier statement of the transaction failed, so nothing was kept')
    return 0
  }
  return transaction
}

/** The most statements that stay prepared, more than either book needs. Any further ones are prepared each time. */
const MAX_STATEMENTS = 500

interface PooledFactory extends SqlDriverAdapterFactory {
  readonly pool: pg.Pool
}

/** Creates connections, each of which remembers the statements that it has prepared. */
function factory(address: Address, config: pg.PoolConfig, server?: OneServer): PooledFactory {
  const names = new Map<string, string>()
  const verify = (client: pg.Client, done: (error?: Error) => void) => {
    server?.admit(client).then(() => done(), done)
  }
  const pool = new pg.Pool({ ...config, ...(server && { verify }) })
  // Running queries report a lost connection themselves, also while it is verified.
  pool.on('connect', (client) => void client.on('error', () => {}))
  const inner = new PrismaPg(pool, {
    schema: address.schema,
    statementNameGenerator({ sql }) {
      const known = names.get(sql)
      if (known !== undefined) return known
      // pg itself does not accept a name for a statement to be dropped.
      if (names.size >= MAX_STATEMENTS) return ''
      const name = `s${names.size}`
      names.set(sql, name)
      return name
    },
  })
  return {
    pool,
    provider: inner.provider,
    adapterName: inner.adapterName,
    async connect() {
      const adapter: SqlDriverAdapter = await inner.connect()
      adapter.dispose = () => endPool(pool)
      const start = adapter.startTransaction.bind(adapter)
      adapter.startTransaction = async (isolation) => withStorableTexts(await start(isolation))
      return withStorableTexts(adapter)
    },
  }
}

/** Converts every text in a statement to one that the server accepts. */
function withStorableTexts<T extends SqlQueryable>(queryable: T): T {
  const [query, execute] = [queryable.queryRaw.bind(queryable), queryable.executeRaw.bind(queryable)]
  const clean = (asked: SqlQuery): SqlQuery => ({
    ...asked,
    args: asked.args.map((arg) => (typeof arg === 'string' ? storable(arg) : arg)),
  })
  queryable.queryRaw = (asked) => query(clean(asked))
  queryable.executeRaw = (asked) => execute(clean(asked))
  return queryable
}

/** How long running queries may take to end when a book is closed, in milliseconds. */
const CLOSE_TIMEOUT_MS = 2_000

/**
 * Ends a pool. An open transaction would keep the pool open, so the transaction's connection is cut, and the server
 * rolls back.
 */
async function endPool(pool: pg.Pool): Promise<void> {
  const clients = (pool as unknown as { readonly _clients: readonly pg.PoolClient[] })._clients
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const inTime = systemClock.after(CLOSE_TIMEOUT_MS, resolve)
  await Promise.race([pool.end(), late])
  inTime()
  await Promise.all([...clients].map((client) => client.end()))
}
