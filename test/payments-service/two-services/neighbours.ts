import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemEntropy } from '../../../src/lib/entropy.ts'
import { createLogger } from '../../../src/lib/logger.ts'
import { type Msats, sats } from '../../../src/lib/money/amount.ts'
import type { LastOwner } from '../../../src/lib/ownership/ownership.ts'
import type { LightningBackend } from '../../../src/payments-service/backends/backend.ts'
import { inFlight, NODE, wallet } from '../../../src/payments-service/core/chart-of-accounts.ts'
import type { PaymentsDatabase } from '../../../src/payments-service/core/database.ts'
import { hashSecret } from '../../../src/payments-service/core/secrets.ts'
import { newPayment, reserve } from '../../../src/payments-service/payments/reserve-payment.ts'
import { createService, DEFAULT_SETTINGS, type Service } from '../../../src/payments-service/service.ts'
import { ManualClock } from '../../support/manual-clock.ts'
import { untilItHolds, untilQuiet } from '../../support/until-it-holds.ts'
import { warmPaymentsDatabase } from '../../support/warm-databases.ts'
import { proveService } from '../prove-service.ts'
import { ScriptedNode } from '../scripted-node.ts'

/** One of the services on the book: a process with its own clocks. */
export interface Neighbour {
  readonly name: string
  readonly service: Service
  readonly clock: ManualClock
  /** The service's log, as parsed lines. */
  readonly log: Record<string, unknown>[]
  /** The state of its disk: while that is full, the service cannot write to its books. */
  readonly disk: { full: boolean }
}

export interface NeighbourOptions {
  /** The difference between this service's wall clock and that of the first, in milliseconds. */
  readonly wallMs?: number
  readonly backend?: LightningBackend
  /** The known facts about the previous process. */
  readonly lastOwner?: LastOwner
}

/**
 * Services on one book, with one node. Each has its own clocks, and time passes only for those that live: a neighbour
 * that is left out is dead or frozen. All of them use one connection, so that nothing here depends on the engine's
 * locks.
 */
export class Neighbours {
  readonly node = new ScriptedNode(new ManualClock())
  readonly all: Neighbour[] = []
  readonly database: PaymentsDatabase
  readonly #folder: string
  project!: { readonly id: string; readonly apiKey: string; readonly holder: { kind: 'project'; id: string } }

  private constructor(folder: string, database: PaymentsDatabase) {
    this.#folder = folder
    this.database = database
  }

  /** Opens a book with this many running services, and a project with 10,000 sats. */
  static async open(services = 2, options: NeighbourOptions = {}): Promise<Neighbours> {
    const folder = mkdtempSync(join(tmpdir(), 'neighbours-'))
    const world = new Neighbours(folder, await warmPaymentsDatabase(join(folder, 'payments.sqlite')))
    for (let i = 0; i < services; i += 1) await world.join(options)
    await world.#fund(sats(10_000))
    return world
  }

  /** Starts another service on the book. */
  async join({ wallMs = 0, backend = this.node, lastOwner }: NeighbourOptions = {}): Promise<Neighbour> {
    const name = 'abcdef'[this.all.length] ?? '?'
    const clock = new ManualClock((this.all[0]?.clock.now() ?? Date.UTC(2030, 0, 1)) + wallMs)
    const log: Record<string, unknown>[] = []
    const destination = { write: (line: string) => void log.push(JSON.parse(line)) }
    const disk = { full: false }
    const service = await createService({
      database: { ...this.database, write: onDisk(this.database.write, disk) },
      backend,
      clock,
      entropy: systemEntropy,
      logger: createLogger({ level: 'info', name, destination }),
      settings: { ...DEFAULT_SETTINGS, callbacksAllowLoopback: true },
      port: 0,
      lastOwner,
    })
    const neighbour = { name, service, clock, log, disk }
    this.all.push(neighbour)
    return neighbour
  }

  /** Lets time pass for these services, in steps, after each of which all reads and commits can finish. */
  async pass(ms: number, living: readonly Neighbour[] = this.all, stepMs = 2_500): Promise<void> {
    for (let passed = 0; passed < ms; passed += stepMs) {
      for (const { clock } of living) await clock.advance(Math.min(stepMs, ms - passed))
      await this.idle()
    }
  }

  /** Waits until all reads and commits under way have ended. */
  async idle(): Promise<void> {
    for (let turns = 0; turns < 2; turns += 1) {
      await Promise.all(this.all.map(({ service }) => service.parts.ledger.commit({}).catch(() => undefined)))
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    await untilQuiet()
  }

  until(holds: () => boolean | Promise<boolean>): Promise<void> {
    return untilItHolds(holds)
  }

  /** Calls a route of one of the services, with the project's key. */
  async call({ service }: Neighbour, method: string, path: string, body?: object, key?: string) {
    const response = await fetch(service.url + path, {
      method,
      headers: {
        apikey: this.project.apiKey,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
    return { status: response.status, headers: response.headers, body: (await response.json()) as any }
  }

  /** Creates a payment at one of the services, of which only the hold is durable. */
  async hold({ service }: Neighbour) {
    const { invoice, paymentHash } = this.node.foreignInvoice({ amount: sats(1_000) })
    const about = { kind: 'invoice', payer: this.project.holder, paymentHash, invoice } as const
    const payment = newPayment(service.parts, { ...about, amount: sats(1_000), maxFee: sats(10) })
    await service.parts.ledger.commit(reserve(this.project.holder, payment))
    return payment
  }

  /** Begins a payment at one of the services while the node does not answer; `end` sets the call's outcome. */
  async beginToSend(neighbour: Neighbour) {
    const end = this.node.hang()
    const payment = await this.hold(neighbour)
    const calls = this.node.calls.length
    void neighbour.service.parts.sender.send(payment)
    await this.until(() => this.node.calls.length > calls)
    return { payment, end }
  }

  payment(id: string) {
    return this.database.read.payment.findUniqueOrThrow({ where: { id } })
  }

  /** Returns the project's balance and its outgoing amounts, in msats. */
  async funds() {
    const { ledger } = (this.all[0] as Neighbour).service.parts
    const { holder } = this.project
    return { wallet: await ledger.balance(wallet(holder)), held: await ledger.balance(inFlight(holder)) }
  }

  /** Proves the book, and closes everything. */
  async close(): Promise<void> {
    const [first] = this.all
    if (first !== undefined) await proveService(first.service)
    for (const { service, clock } of this.all) await clock.advanceUntil(service.close())
    await this.database.close()
    rmSync(this.#folder, { recursive: true })
  }

  async #fund(amount: Msats): Promise<void> {
    const [id, apiKey, createdAt] = [randomUUID(), randomBytes(32).toString('hex'), new Date(Date.UTC(2030, 0, 1))]
    const holder = { kind: 'project', id } as const
    const scopes = 'read,receive,send'
    await (this.all[0] as Neighbour).service.parts.ledger.commit({
      entries: [{ operation: 'fund', step: 'post', moves: [{ from: NODE, to: wallet(holder), amount }] }],
      write: async (tx) => {
        await tx.project.create({ data: { id, name: 'a project', createdAt } })
        const data = { id: randomUUID(), projectId: id, hash: hashSecret(apiKey), scopes, createdAt }
        await tx.apiKey.create({ data })
      },
    })
    this.project = { id, apiKey, holder }
  }
}

/** Returns a writing client that refuses to write while the disk is full. */
function onDisk(client: PaymentsDatabase['write'], disk: { readonly full: boolean }): PaymentsDatabase['write'] {
  return new Proxy(client, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (name !== '$transaction') return value
      const refused = () => Promise.reject(new Error('database or disk is full'))
      return (...args: unknown[]) => (disk.full ? refused() : Reflect.apply(value, target, args))
    },
  })
}
