import type { Sql } from '@prisma/client/runtime/client'
import pg from 'pg'
import type { BeforeFlush } from '../engine/raw-transactions.ts'
import { storable } from '../engine/row-words.ts'
import { COUNT_COMMIT } from './flushes.ts'

/** The parts that are needed to send a whole transaction at once. */
export interface OneJourney {
  /** The pool whose only connection writes. */
  readonly pool: pg.Pool
  /** The statement that waits for the book's lock. */
  readonly lock: string
  readonly before: BeforeFlush
  /** Handles a COMMIT with an unknown outcome. Nothing may happen after this call. */
  readonly failed: (error: unknown) => never
}

/**
 * Writes statements in one transaction. Resolves to true if all of them are written and durable, and to false if a rule
 * of the book prevented this and nothing is written.
 */
export type WriteAtOnce = (statements: readonly Sql[], released?: () => void) => Promise<boolean>

/**
 * Writes transactions whose statements are all known before the first answer: BEGIN, the book's lock, the statements
 * and COMMIT are one message. So the lock is held only while the server works, not while messages travel or this
 * process is busy.
 *
 * The message is one of PostgreSQL's simple protocol: the server skips everything after a failed statement. With
 * separate messages, the server would continue, and would commit each statement alone if somebody cancelled the BEGIN.
 */
export function inOneJourney({ pool, lock, before, failed }: OneJourney): WriteAtOnce {
  const names = new Names()
  return async (statements, released) => {
    const client = await pool.connect()
    let flushed: () => Promise<void>
    try {
      flushed = await before()
      const executions: string[] = []
      for (const { text, values } of [...statements, { ...COUNT_COMMIT, values: [] }])
        executions.push(execution(await names.prepare(client, text), values))
      const error = await refusal(client, ['BEGIN', lock, ...executions, 'COMMIT'].join(';'), failed)
      if (isBrokenRule(error)) return false
      if (error !== undefined) {
        // The reason for the refusal may be data that is not durable yet.
        await flushed()
        throw error
      }
    } finally {
      client.release()
    }
    released?.()
    await flushed().catch(failed)
    return true
  }
}

/** Sends a transaction. Resolves to undefined if it was committed, or to the reason why nothing was stored. */
async function refusal(
  client: pg.PoolClient,
  transaction: string,
  failed: (error: unknown) => never,
): Promise<unknown> {
  try {
    await client.query(transaction)
    return undefined
  } catch (error) {
    if (isUnsent(error)) return error
    // Only the server's own answer proves anything, and only while it continues to answer, because the message also
    // contained COMMIT.
    if (!isOfStatement(error) || (await ended(client).catch(() => true))) return failed(error)
    return error
  }
}

/** Rolls back. Resolves to whether no transaction was left, which means that COMMIT itself failed. */
async function ended(client: pg.PoolClient): Promise<boolean> {
  let outside = false
  const hear = ({ code }: { code?: string | undefined }) => {
    if (code === NO_TRANSACTION) outside = true
  }
  client.on('notice', hear)
  try {
    await client.query('ROLLBACK')
  } finally {
    client.off('notice', hear)
  }
  return outside
}

const NO_TRANSACTION = '25P01'

/** Whether the driver reports a connection that can send nothing any more. */
function isUnsent(error: unknown): boolean {
  return /not queryable/.test((error as Error).message)
}

/** Whether the server could not run a statement. A worse error ends the connection. */
function isOfStatement(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR'
}

/** Whether a constraint was broken, or a value fits no column. */
function isBrokenRule(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? '')
}

/** The names of prepared statements, and the connections that have prepared them. */
class Names {
  readonly #names = new Map<string, string>()
  readonly #prepared = new WeakMap<pg.PoolClient, Set<string>>()

  /** Returns the name of a statement, after preparing it on the connection. */
  async prepare(client: pg.PoolClient, text: string): Promise<string> {
    // The driver adapter's names begin with another letter.
    const name = this.#names.get(text) ?? `j${this.#names.size}`
    this.#names.set(text, name)
    const prepared = this.#prepared.get(client) ?? new Set()
    this.#prepared.set(client, prepared)
    if (!prepared.has(name)) {
      await client.query(`PREPARE ${name} AS ${text}`)
      prepared.add(name)
    }
    return name
  }
}

function execution(name: string, values: readonly unknown[]): string {
  return values.length === 0 ? `EXECUTE ${name}` : `EXECUTE ${name}(${values.map(literal).join()})`
}

function literal(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('a statement in a single message accepts only strings')
  return pg.escapeLiteral(storable(value))
}
