import type { SqlDriverAdapter, SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import type { Answerer } from '../../../proof/kills/postgres/clients.ts'
import { type Question, type WithoutId, Writer, type WriterAnswer } from '../../../proof/kills/postgres/writer.ts'
import type { WriteRaw } from '../../../src/lib/database/engine/raw-transactions.ts'
import { isCommit } from '../../../src/lib/database/engine/watch-commits.ts'
import { clientFor, openTippingDatabase } from '../../../src/tipping/core/database.ts'

class Ended extends Error {}

/**
 * A writer for the kill proof, without a process of its own. Once it has ended, it no longer answers anybody, and
 * another writer starts.
 */
export class PlayedWriter implements Answerer {
  endedItself = 0
  #life: { readonly writer: Writer; readonly dies: Promise<undefined> } | undefined
  #closed = false
  #working: Promise<unknown> = Promise.resolve()
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  get ready(): boolean {
    return this.#life !== undefined
  }

  async start(): Promise<void> {
    const { promise: dies, resolve: die } = Promise.withResolvers<undefined>()
    let dead = false
    const connect = async (factory: SqlDriverAdapterFactory) => {
      const mortal = { ...factory, connect: async () => diesWith(await factory.connect(), () => dead) }
      return new (await clientFor(factory))({ adapter: mortal })
    }
    const database = await openTippingDatabase(this.#url, connect, () => {
      this.endedItself += 1
      dead = true
      const ended = this.#life
      this.#life = undefined
      die(undefined)
      this.#working = this.#replace(ended?.writer)
      throw new Ended()
    })
    const writeRaw: WriteRaw = async (run, options) => {
      if (dead) throw new Ended()
      return await database.writeRaw(async (client) => {
        if (dead) throw new Ended()
        const value = await run(client)
        if (dead) throw new Ended()
        return value
      }, options)
    }
    this.#life = { writer: new Writer({ ...database, writeRaw }), dies }
  }

  async ask(question: WithoutId<Question>): Promise<WriterAnswer | undefined> {
    const life = this.#life
    if (life === undefined) return undefined
    return await Promise.race([life.dies, life.writer.answer({ ...question, id: 0 } as Question)])
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#working
    await this.#life?.writer.close()
  }

  /** Starts a new writer in place of an ended one, as a supervisor of processes would. */
  async #replace(ended: Writer | undefined): Promise<void> {
    await ended?.close()
    while (!this.#closed && this.#life === undefined) await this.start().catch(() => undefined)
  }
}

/**
 * Keeps a dead process from beginning or committing anything: the server would roll its transactions back when its
 * connection ends.
 */
function diesWith(adapter: SqlDriverAdapter, isDead: () => boolean): SqlDriverAdapter {
  const start = adapter.startTransaction.bind(adapter)
  adapter.startTransaction = async (isolation) => {
    if (isDead()) throw new Ended()
    const transaction = await start(isolation)
    const execute = transaction.executeRaw.bind(transaction)
    transaction.executeRaw = async (query) => {
      if (isDead() && isCommit(query)) throw new Ended()
      return await execute(query)
    }
    return transaction
  }
  return adapter
}
