import type { Clock } from '../clock.ts'
import type { Entropy } from '../entropy.ts'
import type { Logger } from '../logger.ts'
import { startWorker, type Worker } from '../worker.ts'
import {
  type LastOwner,
  type Nobodys,
  OWNERSHIP_TIMES,
  type Ownership,
  OwnershipLost,
  type OwnershipTimes,
  type TakeOver,
} from './ownership.ts'

/** A row of the table `Lease`. */
export interface LeaseRow {
  /** `process:` and an id for a process on the book; otherwise the name of a job, such as `settlements`. */
  readonly name: string
  /** The id of the process that holds the lease; empty if no process does. */
  readonly holder: string
  /**
   * The fencing number, which only grows: a process raises that of its own lease with each renewal, and a job's new
   * holder raises that of the job.
   */
  readonly fence: number
  /** The time of the last change by the holder's wall clock. It is for people, and decides nothing. */
  readonly renewedAt: Date
}

/** The part of the table `Lease` that leases need. Both books have such a table. */
export interface LeaseTable {
  findMany(query: { where?: LeaseFilter }): Promise<LeaseRow[]>
  create(row: { data: LeaseRow }): Promise<unknown>
  updateMany(change: { where: LeaseFilter; data: LeaseChange }): Promise<{ count: number }>
  deleteMany(rows: { where: LeaseFilter }): Promise<{ count: number }>
}

interface LeaseFilter {
  name?: string | { startsWith: string } | { in: string[] }
  holder?: string
  fence?: number
}

interface LeaseChange {
  holder?: string
  fence: number | { increment: number }
  renewedAt: Date
}

/** The part of a book's transaction or reader that leases use. */
export interface HasLeases {
  readonly lease: LeaseTable
}

export interface LeaseOptions<Tx extends HasLeases, Job extends string> {
  readonly database: { readonly read: HasLeases }
  /** Runs a change in one transaction. `write` may run a second time, so it must use nothing but its argument. */
  readonly commit: <T>(change: { readonly write: (tx: Tx) => Promise<T> }) => Promise<T>
  /** The jobs, each of which only one process has at a time. */
  readonly jobs: readonly Job[]
  /**
   * Whether no other process uses the book, because this process holds the book's lock. If true, everything that others
   * owned is free immediately, and nothing has to be renewed. If another process is found later, this process continues
   * as one of several.
   */
  readonly alone: boolean
  readonly clock: Clock
  readonly entropy: Entropy
  readonly logger: Logger
  readonly times?: OwnershipTimes | undefined
  /** The note of the previous process, if that process is known to be dead. */
  readonly last?: LastOwner | undefined
}

/** A period in which this process has a job. */
interface Tenure {
  readonly fence: number
  readonly ends: AbortController
}

const PROCESS = 'process:'

/** The condition for leases of processes, as opposed to those of jobs. */
export const OF_PROCESSES = { name: { startsWith: PROCESS } } as const

/**
 * The leases of one process on a book that several processes use. A process has one lease, which shows that it lives,
 * and jobs, each held by one process at a time. Everything else that a process owns, such as a payment that it sends,
 * is stored with the process's id.
 *
 * The processes share no clock. A living process raises its lease's fencing number every five seconds. Another process
 * that has seen the same number for thirty seconds of its own monotonic clock deletes that lease, unless the number has
 * grown by then. Then everything that the silent process owned is free. The silent process stops trusting its lease
 * after twenty seconds, so it has stopped before anybody takes over, whatever the wall clocks say. If a process was
 * frozen without noticing, the book refuses its writes (`assertLive`), and the process continues under a new id, to
 * which nothing belongs.
 */
export class Leases<Tx extends HasLeases, Job extends string = string> implements Ownership<Tx, Job> {
  readonly #options: LeaseOptions<Tx, Job>
  readonly #times: OwnershipTimes
  #holder = ''
  /** The time until which this process trusts its lease, on each of its clocks. */
  #until = { monotonic: Number.NEGATIVE_INFINITY, wall: Number.NEGATIVE_INFINITY }
  readonly #tenures = new Map<string, Tenure>()
  /** The newest fencing number seen from each other process, and when it was first seen (monotonic ms). */
  readonly #seen = new Map<string, { readonly fence: number; readonly since: number }>()
  readonly #afterLooks: (() => Promise<void>)[] = []
  #waiting: (() => void)[] = []
  #worker: Worker | undefined
  #alone: boolean

  constructor(options: LeaseOptions<Tx, Job>) {
    this.#options = options
    this.#times = options.times ?? OWNERSHIP_TIMES
    this.#alone = options.alone
  }

  get me(): string {
    return this.#holder
  }

  get alone(): boolean {
    return this.#alone
  }

  async start(): Promise<void> {
    await this.#enter()
    if (!this.#alone) this.#keepRenewing()
  }

  #keepRenewing(firstInMs?: number): void {
    const { clock, logger } = this.#options
    const failed = (error: unknown) =>
      logger.warn({ err: error }, 'the lease of this process could not be renewed; it is tried again')
    const round = (closing: AbortSignal) => this.#renew(closing)
    const pauseMs = this.#times.renewMs
    this.#worker = startWorker({ clock, round, pauseMs, failed, ...(firstInMs !== undefined && { firstInMs }) })
  }

  /**
   * Handles the loss of this process's lease to another process on the book, which happens on a file system without
   * locks, or if another address leads to the same file. From then on, each of the two processes renews its lease, and
   * enters again if its lease is gone.
   */
  #foundGone(): void {
    if (!this.#alone || this.#holder === '') return
    this.#alone = false
    const fields = { alert: 'not_alone', lease: PROCESS + this.#holder }
    this.#options.logger.error(
      fields,
      'another process works on this book, and has ended the lease of this one, which enters again. A book in a file is for one process: stop the other one.',
    )
    this.#keepRenewing(0)
  }

  isLive(): boolean {
    if (this.#alone) return true
    const { clock } = this.#options
    // A sleeping machine may stop its monotonic clock, but not the wall clock.
    return clock.monotonic() < this.#until.monotonic && clock.now() < this.#until.wall
  }

  isMine(owner: string | null): boolean {
    return owner === this.#holder && this.isLive()
  }

  has(job: Job): boolean {
    return this.#tenures.has(job) && this.isLive()
  }

  /** Returns the job's fencing number, which is new each time this process gets the job. */
  tenureOf(job: Job): number | undefined {
    return this.isLive() ? this.#tenures.get(job)?.fence : undefined
  }

  async untilHas(job: Job, signal: AbortSignal): Promise<AbortSignal | undefined> {
    while (!signal.aborted) {
      const tenure = this.#tenures.get(job)
      if (tenure !== undefined) return tenure.ends.signal
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve)
        signal.addEventListener('abort', () => resolve(), { once: true })
      })
    }
    return undefined
  }

  async assertLive(tx: Tx): Promise<void> {
    await this.#rowsOfLiving(tx)
  }

  async assertHas(tx: Tx, job: Job, tenure = this.#tenures.get(job)?.fence): Promise<void> {
    const rows = await this.#rowsOfLiving(tx)
    if (!rows.some(({ name, fence }) => name === job && fence === tenure)) throw new OwnershipLost(job)
  }

  /** Reads this process's rows. Throws OwnershipLost unless one of the rows shows that the process lives. */
  async #rowsOfLiving(tx: Tx): Promise<LeaseRow[]> {
    const rows = await tx.lease.findMany({ where: { holder: this.#holder } })
    if (rows.some(({ name }) => name === PROCESS + this.#holder)) return rows
    this.#foundGone()
    throw new OwnershipLost(this.#holder)
  }

  async livingIn(tx: Tx): Promise<string[]> {
    const rows = await tx.lease.findMany({ where: OF_PROCESSES })
    return rows.map(({ holder }) => holder)
  }

  async nobodysIn<Column extends string = 'process'>(tx: Tx, column?: Column): Promise<Nobodys<Column>> {
    const owner = column ?? 'process'
    const notIn = await this.livingIn(tx)
    return { OR: [{ [owner]: null }, { [owner]: { notIn } }] } as Nobodys<Column>
  }

  async takeOverIn<Column extends string = 'process'>(tx: Tx, column?: Column): Promise<TakeOver<Column>> {
    await this.assertLive(tx)
    const mine = { [column ?? 'process']: this.#holder } as Record<Column, string>
    return { nobodys: await this.nobodysIn(tx, column), mine }
  }

  afterEachLook(run: () => Promise<void>): void {
    this.#afterLooks.push(run)
  }

  async close(): Promise<void> {
    await this.#worker?.close()
    this.#end([...this.#tenures.keys()])
    const { commit, clock, logger } = this.#options
    if (this.#alone || this.#holder === '') return
    const holder = this.#holder
    const renewedAt = new Date(clock.now())
    this.#until = { monotonic: Number.NEGATIVE_INFINITY, wall: Number.NEGATIVE_INFINITY }
    const write = async ({ lease: table }: Tx) => {
      await table.deleteMany({ where: { name: PROCESS + holder } })
      await table.updateMany({ where: { holder }, data: { holder: '', fence: { increment: 1 }, renewedAt } })
    }
    await commit({ write }).catch((error: unknown) => logger.warn({ err: error }, 'leases could not be returned'))
  }

  /** Enters this process in the book under a new id, to which nothing belongs. */
  async #enter(): Promise<void> {
    const { commit, clock, entropy, last } = this.#options
    const alone = this.#alone
    const holder = entropy.uuid()
    last?.note(holder)
    const asked = { monotonic: clock.monotonic(), wall: clock.now() }
    const write = async ({ lease: table }: Tx) => {
      if (alone) await table.deleteMany({ where: OF_PROCESSES })
      else if (last?.id !== undefined) await table.deleteMany({ where: { name: PROCESS + last.id } })
      const row = { name: PROCESS + holder, holder, fence: 1, renewedAt: new Date(asked.wall) }
      await table.create({ data: row })
      return await this.#takeJobs(table, holder)
    }
    const jobs = await commit({ write })
    this.#holder = holder
    this.#note(asked, jobs)
  }

  async #renew(closing: AbortSignal): Promise<void> {
    await this.#beat()
    for (const run of this.#afterLooks) if (!closing.aborted) await run()
  }

  async #beat(): Promise<void> {
    const { database, commit, clock, logger } = this.#options
    const asked = { monotonic: clock.monotonic(), wall: clock.now() }
    const [holder, renewedAt] = [this.#holder, new Date(asked.wall)]
    const silent = this.#silent(await database.read.lease.findMany({}))
    const write = async ({ lease: table }: Tx) => {
      const beat = { fence: { increment: 1 }, renewedAt }
      const { count } = await table.updateMany({ where: { name: PROCESS + holder }, data: beat })
      if (count !== 1) return undefined
      // A process with a higher number was only slow.
      for (const { name, fence } of silent) await table.deleteMany({ where: { name, fence } })
      return await this.#takeJobs(table, holder)
    }
    const jobs = await commit({ write })
    for (const { name } of silent)
      logger.warn({ lease: name }, 'a process is silent, so this process takes over its work')
    if (jobs !== undefined) return this.#note(asked, jobs)
    const fields = { alert: 'lease_lost', lease: PROCESS + holder }
    logger.error(fields, 'this process was silent for so long that another one has taken over what it had')
    this.#end([...this.#tenures.keys()])
    await this.#enter()
  }

  /** Returns those leases of other processes whose fencing number has not grown for so long that they have expired. */
  #silent(rows: readonly LeaseRow[]): LeaseRow[] {
    const others = rows.filter(({ name, holder }) => name.startsWith(PROCESS) && holder !== this.#holder)
    const now = this.#options.clock.monotonic()
    for (const name of this.#seen.keys()) if (!others.some((row) => row.name === name)) this.#seen.delete(name)
    return others.filter(({ name, fence }) => {
      const seen = this.#seen.get(name)
      if (seen?.fence === fence) return now - seen.since >= this.#times.expiresMs
      this.#seen.set(name, { fence, since: now })
      return false
    })
  }

  /**
   * Assigns to this process the jobs that no living process has. Resolves to the fencing numbers of all jobs that this
   * process then has.
   */
  async #takeJobs(table: LeaseTable, holder: string): Promise<Map<string, number>> {
    const rows = await table.findMany({})
    const living = new Set(rows.filter(({ name }) => name.startsWith(PROCESS)).map((row) => row.holder))
    const renewedAt = new Date(this.#options.clock.now())
    const jobs = new Map<string, number>()
    for (const name of this.#options.jobs) {
      const row = rows.find((other) => other.name === name)
      if (row === undefined) await table.create({ data: { name, holder, fence: 1, renewedAt } })
      else if (row.holder !== holder && living.has(row.holder)) continue
      else if (row.holder !== holder) {
        const data = { holder, fence: row.fence + 1, renewedAt }
        await table.updateMany({ where: { name, fence: row.fence }, data })
      }
      jobs.set(name, row === undefined ? 1 : row.holder === holder ? row.fence : row.fence + 1)
    }
    return jobs
  }

  /** Records that a renewal, requested at the time `asked`, has succeeded with these jobs. */
  #note(asked: { readonly monotonic: number; readonly wall: number }, jobs: ReadonlyMap<string, number>): void {
    const { holdsMs } = this.#times
    this.#until = { monotonic: asked.monotonic + holdsMs, wall: asked.wall + holdsMs }
    this.#end([...this.#tenures].filter(([job, { fence }]) => jobs.get(job) !== fence).map(([job]) => job))
    for (const [job, fence] of jobs) {
      if (!this.#tenures.has(job)) this.#tenures.set(job, { fence, ends: new AbortController() })
    }
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  #end(jobs: readonly string[]): void {
    for (const job of jobs) {
      this.#tenures.get(job)?.ends.abort()
      this.#tenures.delete(job)
    }
  }
}
