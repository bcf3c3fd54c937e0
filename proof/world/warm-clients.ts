import type { SqlDriverAdapter, SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import { type PaymentsClient, clientFor as paymentsClientFor } from '../../src/payments-service/core/database.ts'
import { type TippingClient, clientFor as tippingClientFor } from '../../src/tipping/core/database.ts'

/**
 * Database clients for hundreds of short-lived worlds: each client was used before, on a database that is now closed,
 * and has compiled its queries. In a short life, compiling took longer than everything else together.
 */

interface Prisma {
  $connect(): Promise<void>
  $disconnect(): Promise<void>
}

type Connect<Client> = (adapter: SqlDriverAdapterFactory) => Promise<Client>

/** A holder of a client whose connection can be exchanged for one to another file. */
class Seat<Client extends Prisma> {
  client!: Client
  #connection: SqlDriverAdapter | undefined
  #transactions = 0
  #asked = 0

  static async make<Client extends Prisma>(
    create: Connect<Client>,
    { provider, adapterName }: SqlDriverAdapterFactory,
  ): Promise<Seat<Client>> {
    const seat = new Seat<Client>()
    const adapter: SqlDriverAdapter = {
      provider,
      adapterName,
      executeScript: (script) => seat.#noted(seat.#open.executeScript(script)),
      queryRaw: (query) => seat.#noted(seat.#open.queryRaw(query)),
      executeRaw: (query) => seat.#noted(seat.#open.executeRaw(query)),
      getConnectionInfo: () => seat.#open.getConnectionInfo?.() ?? { supportsRelationJoins: false },
      async startTransaction(isolation) {
        const transaction = await seat.#noted(seat.#open.startTransaction(isolation))
        seat.#transactions += 1
        seat.#asked += 1
        const ended = () => {
          seat.#transactions -= 1
          seat.#asked -= 1
        }
        const { commit, rollback } = transaction
        transaction.commit = () => commit.call(transaction).finally(ended)
        transaction.rollback = () => rollback.call(transaction).finally(ended)
        return transaction
      },
      dispose: async () => undefined,
    }
    seat.client = await create({ provider, adapterName, connect: async () => adapter })
    return seat
  }

  get #open(): SqlDriverAdapter {
    if (this.#connection === undefined) throw new Error('This database has been closed.')
    return this.#connection
  }

  /** Counts a query as running until it is answered; returns the answer. */
  #noted<T>(answer: Promise<T>): Promise<T> {
    this.#asked += 1
    const answered = () => {
      this.#asked -= 1
    }
    answer.then(answered, answered)
    return answer
  }

  async take(factory: SqlDriverAdapterFactory): Promise<void> {
    this.#connection = await factory.connect()
    await this.client.$connect()
  }

  /**
   * Closes the connection. Resolves to whether the client may be used again, which it may not if it was left in the
   * middle of a transaction.
   */
  async leave(): Promise<boolean> {
    // An earlier request ends here: between a query and SQLite there are only microtasks.
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    // A server takes longer than that.
    for (let turn = 0; turn < 50 && this.#asked > 0; turn += 1) await new Promise((resolve) => setTimeout(resolve, 10))
    const connection = this.#connection
    this.#connection = undefined
    await connection?.dispose()
    if (this.#transactions === 0) return true
    await this.client.$disconnect()
    return false
  }
}

/**
 * Returns a function that hands out clients that were used before. A process that has closed its client cannot reach
 * the database of the next process through it.
 */
function warm<Client extends Prisma>(create: Connect<Client>): Connect<Client> {
  const all = new Map<string, Seat<Client>[]>()
  return async (factory) => {
    const free = all.get(factory.provider) ?? []
    all.set(factory.provider, free)
    const seat = free.pop() ?? (await Seat.make(create, factory))
    let left = false
    const own: Prisma = {
      $connect: () => seat.take(factory),
      async $disconnect() {
        if (left) return
        left = true
        if (await seat.leave()) free.push(seat)
      },
    }
    const closed = new Proxy(own, {
      get: () => () => Promise.reject(new Error('This database has been closed.')),
    })
    return new Proxy(seat.client, {
      get(client, name) {
        if (Object.hasOwn(own, name)) return Reflect.get(own, name)
        if (left) return typeof name === 'string' && !name.startsWith('$') ? closed : Reflect.get(closed, name)
        const value = Reflect.get(client, name)
        return typeof value === 'function' ? value.bind(client) : value
      },
    })
  }
}

/** Hands out a client for the bot's database. */
export const warmTipping = warm<TippingClient>(async (adapter) => new (await tippingClientFor(adapter))({ adapter }))
/** Hands out a client for the service's database. */
export const warmPayments = warm<PaymentsClient>(
  async (adapter) => new (await paymentsClientFor(adapter))({ adapter, errorFormat: 'minimal' }),
)
