import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { createGuardedFetch, type GuardedFetch } from '../../src/lib/http/guarded-fetch.ts'
import { type Logger, silentLogger } from '../../src/lib/logger.ts'
import { type Msats, sats } from '../../src/lib/money/amount.ts'
import { createPaymentsClient, type PaymentsClient } from '../../src/payments-api/payments-api.ts'
import { type Administration, createAdministration } from '../../src/payments-service/administration/administration.ts'
import {
  createSandboxNetwork,
  type SandboxNetwork,
} from '../../src/payments-service/backends/sandbox/sandbox-network.ts'
import { type Holder, wallet } from '../../src/payments-service/core/chart-of-accounts.ts'
import type { PaymentsDatabase } from '../../src/payments-service/core/database.ts'
import {
  createService,
  DEFAULT_SETTINGS,
  type Service,
  type ServiceOptions,
  type ServiceSettings,
} from '../../src/payments-service/service.ts'
import { closeAfterTest } from '../support/close-after-test.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { untilItHolds } from '../support/until-it-holds.ts'
import { warmPaymentsDatabase } from '../support/warm-databases.ts'
import { noteAnswer } from './promises.ts'
import { proveService } from './prove-service.ts'

/** The token that the sandbox's routes require. */
const SANDBOX_TOKEN = 'c0ffee'.repeat(8)

/** A project of the service under test, with its owner's keys. */
export interface TestProject {
  readonly projectId: string
  readonly apiKey: string
  readonly callbackSecret: string
  readonly client: PaymentsClient
}

/** A raw answer over HTTP. */
export interface RawAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: whatever the wire carries; tests look into it
  readonly json: any
}

export interface WorldOptions {
  readonly settings?: Partial<ServiceSettings>
  /** How long the sandbox's payments take, in milliseconds. */
  readonly latencyMs?: number
  readonly logger?: Logger
  /** Called for each query through Prisma, with the query's model or kind. */
  readonly onPrisma?: (name: string) => void
  readonly ownProject?: ServiceOptions['ownProject']
  readonly heldAtBot?: ServiceOptions['heldAtBot']
  /** How long a request may take to arrive, in real milliseconds. */
  readonly bodyTimeoutMs?: number
}

interface WorldParts {
  readonly options: WorldOptions
  readonly folder: string
  readonly clock: ManualClock
  readonly sandbox: SandboxNetwork
  readonly outsideFetch: GuardedFetch
  readonly service: Service
}

/**
 * The service with its sandbox, on a port of its own and with a clock that stands still. `close` proves the books: call
 * it after every test.
 */
export class ServiceWorld {
  readonly clock: ManualClock
  readonly sandbox: SandboxNetwork
  readonly folder: string
  service: Service
  administration: Administration
  readonly #options: WorldOptions
  readonly #outsideFetch: GuardedFetch
  readonly #clients: PaymentsClient[] = []
  #closing: Promise<void> | undefined

  private constructor(parts: WorldParts) {
    this.#options = parts.options
    this.#outsideFetch = parts.outsideFetch
    this.folder = parts.folder
    this.clock = parts.clock
    this.sandbox = parts.sandbox
    this.service = parts.service
    this.administration = administrationOf(parts.service)
  }

  static async open(options: WorldOptions = {}): Promise<ServiceWorld> {
    const folder = mkdtempSync(join(tmpdir(), 'service-'))
    const clock = new ManualClock()
    const outsideFetch = createGuardedFetch({ allowLoopback: true, clock })
    const sandbox = createSandboxNetwork({
      file: join(folder, 'sandbox.sqlite'),
      clock,
      entropy: systemEntropy,
      fetch: outsideFetch,
      lnurl: { allowLoopbackHttp: true },
      latencyMs: options.latencyMs ?? 0,
    })
    const service = await start(options, folder, clock, sandbox)
    const world = new ServiceWorld({ options, folder, clock, sandbox, outsideFetch, service })
    closeAfterTest(world)
    return world
  }

  get url(): string {
    return this.service.url
  }

  /** Stops the service and starts it again on the same database, with changed settings if any are given. */
  async restart(settings: Partial<ServiceSettings> = {}): Promise<void> {
    await this.stop()
    await this.start(settings)
  }

  /** Starts the service on the same database after a stop. */
  async start(settings: Partial<ServiceSettings> = {}): Promise<void> {
    const options = { ...this.#options, settings: { ...this.#options.settings, ...settings } }
    this.service = await start(options, this.folder, this.clock, this.sandbox)
    this.administration = administrationOf(this.service)
  }

  /** Stops the service, and leaves its database. */
  async stop(): Promise<void> {
    await this.service.close()
    await this.service.parts.database.close()
  }

  async project(fund: Msats = sats(100_000)): Promise<TestProject> {
    const project = await this.administration.createProject('test', fund === 0n ? undefined : fund)
    const client = createPaymentsClient({ baseUrl: this.url, apiKey: project.apiKey, clock: this.clock })
    this.#clients.push(client)
    return { ...project, client }
  }

  /** Creates a user with this gamertag; returns the id. */
  async user(gamertag: string): Promise<string> {
    return (await this.administration.createUser(gamertag)).userId
  }

  balance(holder: Holder): Promise<bigint> {
    return this.service.parts.ledger.balance(wallet(holder))
  }

  /**
   * Moves the clock by `ms` in one leap. To the service, the clock seems to have been changed, so an operator confirms
   * that it is right.
   */
  async leap(ms: number): Promise<void> {
    this.clock.jump(ms)
    const { ledger, bookClock } = this.service.parts
    const confirmedAt = new Date(this.clock.now())
    await ledger.commit({ write: (tx) => tx.bookTime.updateMany({ data: { confirmedAt } }) })
    await bookClock.keep()
  }

  /** Sends one request as written, including requests that no well-behaved client would send. */
  async raw(
    method: string,
    path: string,
    options: { apiKey?: string; body?: unknown; text?: string; headers?: Record<string, string> } = {},
  ): Promise<RawAnswer> {
    const body = options.text ?? (options.body === undefined ? undefined : JSON.stringify(options.body))
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(options.apiKey !== undefined && { apikey: options.apiKey }),
        ...(path.startsWith('/sandbox/') && { authorization: `Bearer ${SANDBOX_TOKEN}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(body !== undefined && { body }),
    })
    const text = await response.text()
    const answer: RawAnswer = { status: response.status, headers: response.headers, text, json: parse(text) }
    noteAnswer(method, path, answer.status, answer.json?.code)
    return answer
  }

  /** Waits until a condition holds, for work that the service does on its own. */
  until(condition: () => Promise<boolean> | boolean): Promise<void> {
    return untilItHolds(condition)
  }

  /** Proves the service's books; see proveService. */
  prove(): Promise<void> {
    return proveService(this.service)
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    try {
      await this.prove()
    } finally {
      await Promise.all(this.#clients.map((client) => client.close()))
      await this.stop()
      await Promise.all([this.#outsideFetch.close(), this.sandbox.close()])
      rmSync(this.folder, { recursive: true })
    }
  }
}

/** Checks an answer in the error shape. */
export function expectRefusal(answer: RawAnswer, status: number, code: string): void {
  expect({ status: answer.status, code: answer.json?.code }).toEqual({ status, code })
  expect(answer.json).toEqual({ success: false, message: expect.stringMatching(/\w/), code })
}

/** Returns the same database with clients that report their queries. */
function watched(database: PaymentsDatabase, heard: WorldOptions['onPrisma']): PaymentsDatabase {
  if (heard === undefined) return database
  const tell = <Client extends object>(client: Client): Client =>
    new Proxy(client, {
      get(target, name) {
        if (!['$connect', '$disconnect'].includes(String(name))) heard(String(name))
        return Reflect.get(target, name)
      },
    })
  return { ...database, read: tell(database.read), write: tell(database.write) }
}

async function start(
  options: WorldOptions,
  folder: string,
  clock: ManualClock,
  sandbox: SandboxNetwork,
): Promise<Service> {
  return await createService({
    database: watched(await warmPaymentsDatabase(join(folder, 'payments.sqlite')), options.onPrisma),
    backend: sandbox.backend,
    sandbox: { network: sandbox, token: SANDBOX_TOKEN },
    clock,
    entropy: systemEntropy,
    logger: options.logger ?? silentLogger,
    settings: {
      ...DEFAULT_SETTINGS,
      callbacksAllowLoopback: true,
      outgoingAllowLoopback: true,
      publicRequestsPerSecond: 0,
      invoicesPerMinute: 0,
      ...options.settings,
    },
    alone: true,
    port: 0,
    ...(options.ownProject !== undefined && { ownProject: options.ownProject }),
    ...(options.heldAtBot !== undefined && { heldAtBot: options.heldAtBot }),
    ...(options.bodyTimeoutMs !== undefined && { bodyTimeoutMs: options.bodyTimeoutMs }),
  })
}

function administrationOf({ parts }: Service): Administration {
  return createAdministration({ ...parts, sandbox: true })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
