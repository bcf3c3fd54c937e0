import type { SqlDriverAdapter, SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import { PrismaClient as PaymentsPrisma } from '../../src/payments-service/generated/client.ts'
import { PrismaClient as TippingPrisma } from '../../src/tipping/generated/client.ts'

/**
 * Clients that were used before, on a database that is closed now, and have compiled their queries: for worlds that
 * come and go by the hundred. In a short life, compiling took longer than everything else together.
 */

interface Prisma {
  $connect(): Promise<void>
  $disconnect(): Promise<void>
}

type Connect<Client> = (adapter: SqlDriverAdapterFactory) => Client

/** A client whose connection can be exchanged for one to another file. */
class Seat<Client extends Prisma> {
  readonly client: Client
  #connection: SqlDriverAdapter | undefined
  #transactions = 0

  constructor(create: Connect<Client>, { provider, adapterName }: SqlDriverAdapterFactory) {
    const seat = this
    const adapter: SqlDriverAdapter = {
      provider,
      adapterName,
      executeScript: (script) => seat.#open.executeScript(script),
      queryRaw: (query) => seat.#open.queryRaw(query),
      executeRaw: (query) => seat.#open.executeRaw(query),
      getConnectionInfo: () => seat.#open.getConnectionInfo?.() ?? { supportsRelationJoins: false },
      async startTransaction(isolation) {
        const transaction = await seat.#open.startTransaction(isolation)
        seat.#transactions += 1
        const ended = () => {
          seat.#transactions -= 1
        }
        const { commit, rollback } = transaction
        transaction.commit = () => commit.call(transaction).finally(ended)
        transaction.rollback = () => rollback.call(transaction).finally(ended)
        return transaction
      },
      dispose: async () => undefined,
    }
    this.client = create({ provider, adapterName, connect: async () => adapter })
  }

  get #open(): SqlDriverAdapter {
    if (this.#connection === undefined) throw new Error('This database has been closed.')
    return this.#connection
  }

  async take(factory: SqlDriverAdapterFactory): Promise<void> {
    this.#connection = await factory.connect()
    await this.client.$connect()
  }

  /** Closes the connection; whether the client may serve again: not when it was left in the middle of a transaction. */
  async leave(): Promise<boolean> {
    // What was asked for before this reaches its end: between a query and SQLite there are only microtasks.
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    const connection = this.#connection
    this.#connection = undefined
    await connection?.dispose()
    if (this.#transactions === 0) return true
    await this.client.$disconnect()
    return false
  }
}

/** Hands out clients that were used before. A process that has closed its own cannot reach the next one's database. */
function warm<Client extends Prisma>(create: Connect<Client>): Connect<Client> {
  const free: Seat<Client>[] = []
  return (factory) => {
    const seat = free.pop() ?? new Seat(create, factory)
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

/** How a client of the bot's database is made. */
export const warmTipping = warm((adapter) => new TippingPrisma({ adapter }))
/** How a client of the service's database is made. */
export const warmPayments = warm((adapter) => new PaymentsPrisma({ adapter, errorFormat: 'minimal' }))
