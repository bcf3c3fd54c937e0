import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { createLogger } from '../../src/lib/logger.ts'
import { type Msats, msats, sats } from '../../src/lib/money/amount.ts'
import { type BodyOf, type OperationName, type Operations, operations } from '../../src/payments-api/payments-api.ts'
import type { LightningBackend } from '../../src/payments-service/backends/backend.ts'
import { type Holder, inFlight, NODE, wallet } from '../../src/payments-service/core/chart-of-accounts.ts'
import type { OperatorAlert } from '../../src/payments-service/core/operator-alerts.ts'
import { hashSecret } from '../../src/payments-service/core/secrets.ts'
import {
  createService,
  DEFAULT_SETTINGS,
  type Service,
  type ServiceSettings,
} from '../../src/payments-service/service.ts'
import { closeAfterTest } from '../support/close-after-test.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { untilItHolds, untilQuiet } from '../support/until-it-holds.ts'
import { warmPaymentsDatabase } from '../support/warm-databases.ts'
import { noteAnswer } from './promises.ts'
import { proveService } from './prove-service.ts'
import { ScriptedNode } from './scripted-node.ts'

/** An answer over HTTP. */
export interface PaymentAnswer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape, right and wrong ones
  readonly body: any
}

/** A project with its key, with which it can call the service. */
export interface Project {
  readonly id: string
  readonly apiKey: string
  readonly holder: Holder
}

/**
 * A payments service over HTTP, with a node whose answers the test decides, and a clock that stands still. It can be
 * killed at any moment and started again on the same database.
 */
export class SendingWorld {
  clock = new ManualClock()
  node = new ScriptedNode(this.clock)
  /** The service's log, as parsed lines. */
  readonly log: Record<string, unknown>[] = []
  /** The alerts for the operators' channel. */
  readonly heard: OperatorAlert[] = []
  #service: Service | undefined
  #closing: Promise<void> | undefined
  readonly #killed: { service: Service; clock: ManualClock }[] = []
  readonly #folder = mkdtempSync(join(tmpdir(), 'sending-'))
  readonly #settings: Partial<ServiceSettings>
  readonly #connect: ((clock: Clock) => LightningBackend) | undefined

  /** Creates a world that is not yet started; `connect`, if given, replaces the scripted node at each start. */
  constructor(settings: Partial<ServiceSettings> = {}, connect?: (clock: Clock) => LightningBackend) {
    this.#settings = settings
    this.#connect = connect
    closeAfterTest(this)
  }

  get service(): Service {
    if (this.#service === undefined) throw new Error('the service was not started')
    return this.#service
  }

  /** Starts the service. The clock stands still during the start, unless that needs time to pass (`timeToPass`). */
  async start({ timeToPass = false } = {}): Promise<this> {
    const logger = createLogger({
      level: 'info',
      name: 'service',
      destination: { write: (line: string) => void this.log.push(JSON.parse(line)) },
    })
    const database = await warmPaymentsDatabase(join(this.#folder, 'payments.sqlite'))
    const starting = createService({
      database,
      backend: this.#connect?.(this.clock) ?? this.node,
      clock: this.clock,
      entropy: systemEntropy,
      logger,
      onAlert: (alert) => this.heard.push(alert),
      settings: { ...DEFAULT_SETTINGS, ...this.#settings },
      alone: true,
      port: 0,
    })
    this.#service = await (timeToPass ? this.clock.advanceUntil(starting) : starting)
    return this
  }

  /**
   * Ends the process, as far as the database can tell: the old service gets no further answers, its timers never fire,
   * and nothing is closed. A new process starts on the same database, with the same node, after `afterMs`.
   */
  async kill(afterMs = 0, options: { timeToPass?: boolean } = {}): Promise<void> {
    this.#killed.push({ service: this.service, clock: this.clock })
    const { node } = this
    this.clock = new ManualClock(this.clock.now() + afterMs)
    this.node = Object.assign(new ScriptedNode(this.clock), {
      found: node.found,
      network: node.network,
      kind: node.kind,
    })
    this.node.inherit(node)
    await this.start(options)
  }

  /** Proves the books, and closes everything. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    await proveService(this.service)
    for (const { service, clock } of [...this.#killed, { service: this.service, clock: this.clock }]) {
      await clock.advanceUntil(service.close())
      await service.parts.database.close()
    }
    rmSync(this.#folder, { recursive: true })
  }

  async project(funds: Msats = sats(10_000), scopes = 'read,receive,send'): Promise<Project> {
    const { ledger, clock } = this.service.parts
    const [id, apiKey, createdAt] = [randomUUID(), randomBytes(32).toString('hex'), new Date(clock.now())]
    const holder = { kind: 'project', id } as const
    await ledger.commit({
      write: async (tx) => {
        await tx.project.create({ data: { id, name: 'a project', createdAt } })
        await tx.apiKey.create({
          data: { id: randomUUID(), projectId: id, hash: hashSecret(apiKey), scopes, createdAt },
        })
      },
    })
    await this.fund(holder, funds)
    return { id, apiKey, holder }
  }

  async user(gamertag: string, funds: Msats = msats(0)): Promise<Holder> {
    const id = randomUUID()
    await this.service.parts.ledger.commit({
      write: async (tx) => {
        await tx.user.create({ data: { id, gamertag, createdAt: new Date(this.clock.now()) } })
        await tx.name.create({ data: { folded: gamertag.toLowerCase(), display: gamertag, userId: id } })
      },
    })
    const holder = { kind: 'user', id } as const
    await this.fund(holder, funds)
    return holder
  }

  async fund(holder: Holder, amount: Msats): Promise<void> {
    if (amount === 0n) return
    const moves = [{ from: NODE, to: wallet(holder), amount }]
    await this.service.parts.ledger.commit({ entries: [{ operation: `fund:${randomUUID()}`, step: 'post', moves }] })
  }

  balance(holder: Holder): Promise<bigint> {
    return this.service.parts.ledger.balance(wallet(holder))
  }

  held(holder: Holder): Promise<bigint> {
    return this.service.parts.ledger.balance(inFlight(holder))
  }

  /** Calls an operation, while the clock stands still. */
  async call<Name extends OperationName>(
    project: Pick<Project, 'apiKey'>,
    name: Name,
    { body, params = {}, key }: { body?: WireBody<Name>; params?: Record<string, string>; key?: string } = {},
  ): Promise<PaymentAnswer> {
    const { verb, path } = operations[name]
    const url = path.replace(/\{(\w+)\}/g, (_, param: string) => encodeURIComponent(params[param] ?? ''))
    return this.fetch(url, {
      method: verb,
      headers: {
        apikey: project.apiKey,
        ...(key && { 'idempotency-key': key }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  }

  /** Sends any request to the service, and parses an answer in JSON. */
  async fetch(path: string, init: RequestInit = {}): Promise<PaymentAnswer> {
    const url = path.startsWith('http') ? path : this.service.url + path
    const response = await fetch(url, init)
    const text = await response.text()
    const body = text === '' ? undefined : JSON.parse(text)
    noteAnswer(init.method ?? 'GET', url, response.status, body?.code)
    return { status: response.status, headers: response.headers, body }
  }

  /** Waits, in real time, until the condition holds; the service's clock stands still. */
  until(holds: () => boolean | Promise<boolean>): Promise<void> {
    return untilItHolds(holds)
  }

  /**
   * Lets time pass in small steps, so that the reads and commits that a timer begins can finish before the next timer
   * fires.
   */
  async pass(ms: number, stepMs = 1_000): Promise<void> {
    for (let passed = 0; passed < ms; passed += stepMs) {
      await this.clock.advance(Math.min(stepMs, ms - passed))
      await this.idle()
    }
  }

  /** Waits until all reads and commits under way have ended. */
  async idle(): Promise<void> {
    // On a failing disk it is refused, after those before it.
    const last = () => this.service.parts.ledger.commit({}).catch(() => undefined)
    await last()
    await new Promise((resolve) => setTimeout(resolve, 2))
    await last()
    await untilQuiet()
  }

  async payment(id: string) {
    return this.service.parts.database.read.payment.findUniqueOrThrow({ where: { id } })
  }

  /** Returns the bodies of a resource's callbacks in the outbox, oldest first. */
  async callbacks(resource: string): Promise<Record<string, unknown>[]> {
    const rows = await this.service.parts.database.read.callback.findMany({
      where: { resource },
      orderBy: { id: 'asc' },
    })
    return rows.map((row) => JSON.parse(row.body))
  }

  alerts(): unknown[] {
    return this.log.map((line) => line.alert).filter((alert) => alert !== undefined)
  }
}

/** A body as a caller writes it, with fields of any type, because a test may need a wrong body. */
type WireBody<Name extends OperationName> = Partial<Record<keyof BodyOf<Operations[Name]>, unknown>> & object
