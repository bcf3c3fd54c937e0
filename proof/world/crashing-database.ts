import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import Database from 'better-sqlite3'
import type { RawOptions, WriteRaw } from '../../src/lib/database/engine/raw-transactions.ts'
import type { Chance } from './chance.ts'

/**
 * One life of a process. Once the life is over, nothing that the process does has an effect, and nothing answers the
 * process.
 */
export class Life {
  over = false
  /** The number of transactions under way; those of a dead process are ended before the next process starts. */
  open = 0
  readonly #end = Promise.withResolvers<never>()
  readonly #onDeath: () => void

  constructor(onDeath: () => void) {
    this.#onDeath = onDeath
    this.#end.promise.catch(() => undefined)
  }

  /** A promise that rejects with Died when the life is over. */
  get death(): Promise<never> {
    return this.#end.promise
  }

  end(): void {
    if (this.over) return
    this.over = true
    this.#onDeath()
    this.#end.reject(new Died())
  }
}

/** The error of a call that a process could not answer before it died. */
export class Died extends Error {
  override name = 'Died'
}

/**
 * Returns a promise that never settles, as for a lost message. Each call makes a new one, so that none keeps anything
 * alive.
 */
export function silence(): Promise<never> {
  return new Promise<never>(() => undefined)
}

interface Transacting {
  $transaction(run: (tx: unknown) => Promise<unknown>, options?: object): Promise<unknown>
}

/** The ways in which a process writes, with Prisma and without. */
interface Writing {
  readonly write: object
  readonly writeRaw: WriteRaw
}

/**
 * Returns the writing side of a database whose process may die at each commit: just before it, or just after it. A kill
 * from outside rolls an open transaction back, or commits it without an answer.
 */
export function crashing<D extends Writing>(database: D, life: Life, chance: Chance, risk: () => number): D {
  type Run = (tx: unknown) => Promise<unknown>
  const transact = async (begin: (run: Run) => Promise<unknown>, run: Run): Promise<unknown> => {
    if (!life.over && chance.happens(risk() / 2)) life.end()
    if (life.over) return silence()
    life.open += 1
    const committing = begin(async (tx) => {
      const value = await run(tx)
      if (life.over && chance.happens(0.5)) throw new Died()
      return value
    })
    const ended = await committing.then(
      (value) => () => value,
      (error: unknown) => () => {
        throw error
      },
    )
    life.open -= 1
    if (!life.over && chance.happens(risk() / 2)) life.end()
    return life.over ? silence() : ended()
  }
  const prisma = (database.write as Transacting).$transaction.bind(database.write)
  const $transaction = (run: Run, options?: object) => transact((each) => prisma(each, options), run)
  const write = new Proxy(database.write, {
    get: (target, name) => (name === '$transaction' ? $transaction : Reflect.get(target, name)),
  })
  const writeRaw = ((run: Run, options?: RawOptions<unknown>) =>
    transact((each) => database.writeRaw(each, options), run)) as WriteRaw
  return { ...database, write, writeRaw }
}

/** The disk of a process: how likely its COMMITs are to fail, and what the process does then. */
export interface SickDisk {
  readonly chance: () => Chance
  readonly risk: () => number
  readonly failed: () => never
}

/**
 * Returns connections whose COMMIT may report an error, as on a disk that fails at the sync. In half of the cases the
 * WAL frames are kept, and the next start finds them; in the other half they are lost.
 */
export function onSickDisk(factory: SqlDriverAdapterFactory, { chance, risk }: SickDisk): SqlDriverAdapterFactory {
  return {
    ...factory,
    async connect() {
      const adapter = await factory.connect()
      // On a server, the connection is lost instead: `postgres/wire.ts`.
      if (adapter.provider !== 'sqlite') return adapter
      const { client } = adapter as unknown as { readonly client: Database.Database }
      // A reader keeps nothing, whatever becomes of the COMMIT.
      if (Number(client.pragma('query_only', { simple: true })) === 1) return adapter
      const prepare = client.prepare.bind(client)
      const fail = () => {
        client.exec(chance().happens(0.5) ? 'COMMIT' : 'ROLLBACK')
        throw new Database.SqliteError('disk I/O error', 'SQLITE_IOERR_FSYNC')
      }
      const sick = { reader: false, run: fail, bind: () => sick }
      client.prepare = ((sql: string) =>
        sql === 'COMMIT' && chance().happens(risk()) ? sick : prepare(sql)) as typeof client.prepare
      return adapter
    },
  }
}
