import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLedger, type Ledger } from '../../../src/ledger/ledger.ts'
import { systemEntropy } from '../../../src/lib/entropy.ts'
import type { GuardedFetch } from '../../../src/lib/http/guarded-fetch.ts'
import { createLogger } from '../../../src/lib/logger.ts'
import { CHART } from '../../../src/payments-service/core/chart-of-accounts.ts'
import type { PaymentsDatabase, Tx } from '../../../src/payments-service/core/database.ts'
import type { ServiceOwnership } from '../../../src/payments-service/core/ownership.ts'
import { type Outbox, startOutbox } from '../../../src/payments-service/engine/outbox/outbox.ts'
import { callbackRows } from '../../../src/payments-service/engine/outbox/record-callback.ts'
import { ManualClock } from '../../support/manual-clock.ts'
import { scriptedOwnership } from '../../support/scripted-ownership.ts'
import { untilItHolds, untilQuiet } from '../../support/until-it-holds.ts'
import { warmPaymentsDatabase } from '../../support/warm-databases.ts'

type Ending = number | Error

/** An attempt at delivery, as the receiver sees it. */
export interface Attempt {
  readonly number: number
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Ends the attempt with the receiver's status, or as unreachable. */
  end(answer: Ending): void
}

/** The service's processes, as the test describes them; if left out, the service is alone. */
export interface ScriptedOwnership {
  readonly me: string
  readonly living: string[]
  isLive: boolean
  /** Whether this process is alone, whatever the book says about other processes. */
  readonly alone?: boolean
}

interface Told {
  readonly number: number
  readonly resource?: string
  readonly url?: string
  readonly projectId?: string
}

/** An outbox on a real book, without a service around it. The test plays the receivers, without a network. */
export class OutboxWorld {
  readonly clock = new ManualClock()
  readonly attempts: Attempt[] = []
  readonly log: Record<string, unknown>[] = []
  /** Returns every receiver's immediate answer; undefined if the test ends each attempt itself. */
  answer: ((attempt: Attempt) => Ending) | undefined = () => 204
  /** Whether writing to the book fails, and whether reading from it fails. */
  readonly disk: { full: boolean; unreadable: boolean } = { full: false, unreadable: false }
  /** Called before each read of the callbacks, with the name of the read. */
  beforeRead: ((question: string) => void) | undefined
  /**
   * A delay of reads: those with the name `question` return their rows only after `until`, when the rows are old, as on
   * a slow server.
   */
  late: { readonly question: string; readonly until: Promise<unknown> } | undefined
  readonly database: PaymentsDatabase
  readonly #ledger: Ledger<Tx>
  readonly #folder: string
  readonly #outboxes: Outbox[] = []

  private constructor(folder: string, database: PaymentsDatabase) {
    this.#folder = folder
    this.database = database
    this.#ledger = createLedger<Tx, PaymentsDatabase['write']>({ database, chart: CHART, clock: this.clock })
  }

  static async open(): Promise<OutboxWorld> {
    const folder = mkdtempSync(join(tmpdir(), 'outbox-'))
    const world = new OutboxWorld(folder, await warmPaymentsDatabase(join(folder, 'payments.sqlite')))
    const createdAt = new Date(world.clock.now())
    await world.#ledger.commit({
      write: async (tx) => {
        for (const id of ['shop', 'other']) {
          await tx.project.create({ data: { id, name: id, createdAt } })
          await tx.callbackSecret.create({
            data: { id: `secret-of-${id}`, projectId: id, secret: `whsec_${btoa(id.padEnd(32, '.'))}`, createdAt },
          })
        }
      },
    })
    return world
  }

  /** Starts an outbox on the book. */
  start(ownership?: ScriptedOwnership): Outbox {
    const destination = { write: (line: string) => void this.log.push(JSON.parse(line)) }
    const logger = createLogger({ level: 'info', name: 'service', destination })
    const { disk } = this
    const read = new Proxy(this.database.read, {
      get: (target, name) => {
        if (disk.unreadable) throw new Error('the database is away')
        const delegate = Reflect.get(target, name)
        return name === 'callback' ? this.#heard(delegate) : delegate
      },
    })
    const ledger: Ledger<Tx> = Object.create(this.#ledger, {
      commit: {
        value: (change: never) =>
          disk.full ? Promise.reject(new Error('the disk is full')) : this.#ledger.commit(change),
      },
    })
    const outbox = startOutbox(
      { database: { ...this.database, read }, ledger, ownership: ownershipOf(ownership), clock: this.clock, logger },
      { fetchFor: () => this.#fetch() },
    )
    this.#outboxes.push(outbox)
    return outbox
  }

  /** Puts a callback into the outbox, with a number that identifies it. */
  async tell(number: number, about: Omit<Told, 'number'> & { wakes?: boolean } = {}): Promise<void> {
    await this.tellAll([{ number, ...about }], about.wakes)
  }

  async tellAll(all: readonly Told[], wakes = true): Promise<void> {
    const parts = { clock: this.clock, entropy: systemEntropy }
    const rows = all.flatMap(
      ({ number, resource = `thing:${number}`, url = 'https://shop.example/hook', projectId = 'shop' }) =>
        callbackRows(parts, { projectId, resource, url, kind: 'charge', body: { number } as never }),
    )
    await this.#ledger.commit({ rows })
    if (wakes) for (const outbox of this.#outboxes) outbox.wake()
  }

  /** The numbers of the attempts, in order. */
  get numbers(): number[] {
    return this.attempts.map(({ number }) => number)
  }

  rows() {
    return this.database.read.callback.findMany({ orderBy: { id: 'asc' } })
  }

  /** Changes a callback to the state that the test needs. */
  async change(number: number, data: Parameters<Tx['callback']['updateMany']>[0]['data']): Promise<void> {
    await this.#ledger.commit({
      write: (tx) => tx.callback.updateMany({ where: { body: JSON.stringify({ number }) }, data }),
    })
  }

  until(holds: () => boolean | Promise<boolean>): Promise<void> {
    return untilItHolds(holds)
  }

  /** Lets time pass, and waits for the work that this started. */
  async pass(ms: number): Promise<void> {
    await this.clock.advance(ms)
    await this.idle()
  }

  /** Waits until all reads and commits under way have ended. */
  async idle(): Promise<void> {
    for (let turns = 0; turns < 2; turns += 1) {
      await this.#ledger.commit({})
      await untilQuiet()
    }
  }

  async close(): Promise<void> {
    // Those that begin from here on end, too.
    this.answer = () => 204
    for (const attempt of this.attempts) attempt.end(204)
    await Promise.all(this.#outboxes.map((outbox) => outbox.close()))
    await this.#ledger.close()
    await this.database.close()
    rmSync(this.#folder, { recursive: true })
  }

  /** Wraps the table of callbacks, so that the test is called before each read and can delay its answer. */
  #heard<T extends object>(delegate: T): T {
    return new Proxy(delegate, {
      get: (target, question) => {
        this.beforeRead?.(String(question))
        const ask = Reflect.get(target, question) as (...asked: unknown[]) => unknown
        const { late } = this
        if (late?.question !== question) return ask
        return async (...asked: unknown[]) => {
          const answer = await Reflect.apply(ask, target, asked)
          await late.until
          return answer
        }
      },
    })
  }

  #fetch(): GuardedFetch {
    const ask: Parameters<typeof Object.assign>[0] = (
      url: string,
      request: { body: string; headers: Record<string, string> },
    ) => {
      const { promise, resolve } = Promise.withResolvers<Ending>()
      const attempt = { number: JSON.parse(request.body).number, url, headers: request.headers, end: resolve }
      this.attempts.push(attempt)
      const answer = this.answer?.(attempt)
      if (answer !== undefined) attempt.end(answer)
      return promise.then((ended) => {
        if (ended instanceof Error) throw ended
        return { status: ended, headers: {}, body: Buffer.alloc(0) }
      })
    }
    return ask as GuardedFetch
  }
}

function ownershipOf(scripted: ScriptedOwnership | undefined): ServiceOwnership {
  const alone = scripted === undefined || scripted.alone === true
  return scriptedOwnership({
    ...{ alone, me: scripted?.me ?? '', living: scripted?.living ?? [] },
    isLive: () => scripted?.isLive ?? true,
  })
}
