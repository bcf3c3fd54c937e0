import { OWNERSHIP_TIMES, type OwnershipTimes } from '../../src/lib/ownership/ownership.ts'
import type { Chance } from './chance.ts'
import { Died, Life, type SickDisk } from './crashing-database.ts'
import type { Network } from './network.ts'
import type { Server } from './simulated-http.ts'
import { ProcessClock, type Timeline } from './timeline.ts'
import type { Trace } from './trace.ts'
import { quiet, turn } from './wait-until-idle.ts'
import type { Complaint } from './watchful-log.ts'

/** The faults of the world at the moment; probabilities are from 0 to 1. */
export interface Faults {
  /** The probability that a process dies at one of its commits. */
  deaths: number
  /** The probability that a call from the service to its node fails. */
  node: number
  /**
   * Whether the database server is unreachable, or was a moment ago, so that some processes have no new connection yet.
   */
  databaseAway: boolean
}

export interface ProcessParts {
  readonly timeline: Timeline
  readonly trace: Trace
  readonly chance: Chance
  readonly network: Network
  /** The servers at the other addresses of this world. */
  readonly internet: Server
  readonly faults: Faults
  readonly databaseUrl: string
  /** Whether the process knows that no other process works on its book, as it does if it holds the folder's lock. */
  readonly alone: boolean
  /** Makes this process's COMMITs fail as `disk` decides, if its database is on a server. */
  readonly fail: (disk: SickDisk) => void
  /** Called with each bug. */
  readonly onBug: (what: string, error: unknown) => void
  /** Called with each of the process's own complaints. */
  readonly onComplaint: (what: string) => void
  /** Returns whether a fault of this world excuses the complaint. */
  readonly isExcused: (side: 'bot' | 'service', complaint: Complaint) => boolean
  /** Called when a life of the process has ended. */
  readonly onEnd?: () => void
}

/**
 * The times of leases in worlds: renewals are half as frequent as in production, because each may cost a query of a
 * real server. A lease is trusted, and lasts, as long as in production.
 */
export const LEASE_RENEWALS: OwnershipTimes = { ...OWNERSHIP_TIMES, renewMs: 10_000 }

interface Closable {
  close(): Promise<void>
}

/**
 * One side as a process: it runs on a database, can be killed at any moment, and then restarts on the same database.
 */
export abstract class Process<Running extends Closable, Database extends Closable> {
  life = new Life(() => undefined)
  clock: ProcessClock
  chance: Chance
  running: Running | undefined
  kills = 0
  /** Whether the process is kept from starting. */
  held = false
  /** Whether the process was told to stop: it then finishes its work, and refuses new work because it is closing. */
  stopping = false
  /** The database, opened once: if the process dies, its successor finds the database open. */
  #database: Promise<Database> | undefined
  #waiting = Promise.withResolvers<void>()
  #wallOffsetMs = 0
  /** How far the clock was ever ahead of the world, at most, in milliseconds. */
  #furthestMs = 0
  #jumped = false
  readonly #name: string
  readonly #base: ProcessParts
  readonly #open: (url: string, disk: SickDisk) => Promise<Database>

  constructor(name: string, parts: ProcessParts, open: (url: string, disk: SickDisk) => Promise<Database>) {
    this.#name = name
    this.#base = parts
    this.#open = open
    this.chance = parts.chance.child(name)
    this.clock = new ProcessClock(parts.timeline)
    this.life.end()
  }

  protected abstract run(database: Database): Promise<Running>

  get dead(): boolean {
    return this.life.over
  }

  /** Resolves when the process runs. */
  async up(): Promise<Running> {
    while (this.running === undefined) await this.#waiting.promise
    return this.running
  }

  /** Starts the process if it is dead. Starting takes time, during which the process may die. */
  async start(): Promise<void> {
    if (!this.life.over || this.held) return
    const { timeline, trace, chance } = this.#base
    const before = this.life
    this.life = new Life(() => this.#died())
    this.stopping = false
    this.chance = chance.child(this.#name)
    this.clock = new ProcessClock(timeline, this.#wallOffsetMs)
    const { life } = this
    while (before.open > 0) await turn()
    trace.note(`${this.#name}: starts`)
    try {
      this.#database ??= this.#openSick()
      const database = await this.#database
      if (life.over) return
      const running = await Promise.race([this.run(database), life.death])
      if (life.over) return
      this.running = running
      trace.note(`${this.#name}: is up`)
      this.#waiting.resolve()
      this.#waiting = Promise.withResolvers()
    } catch (error) {
      if (error instanceof Died) return
      // It ends with an error, as in production, and somebody restarts it.
      if (this.#base.faults.databaseAway) life.end()
      else this.#base.onBug(`the ${this.#name} does not start`, error)
    }
  }

  kill(): void {
    this.life.end()
  }

  /** Stops as on SIGTERM: finishes its work, then ends, which takes time. */
  async stop(): Promise<void> {
    const { running, life } = this
    if (running === undefined) return
    await this.finish()
    life.end()
  }

  /** Finishes the running work, but does not end the process's life. */
  async finish(): Promise<void> {
    const { running, life } = this
    if (running === undefined) return
    this.stopping = true
    this.#base.trace.note(`${this.#name}: is told to stop`)
    await Promise.race([running.close(), life.death]).catch((error: unknown) => {
      if (!(error instanceof Died)) this.#base.onBug(`the ${this.#name} does not stop`, error)
    })
  }

  /** Moves this machine's wall clock by `ms`, also for later processes. */
  jumpClock(ms: number): void {
    this.#jumped = true
    this.#wallOffsetMs += ms
    this.#furthestMs = Math.max(this.#furthestMs, this.#wallOffsetMs)
    this.clock.jump(ms)
  }

  /** The furthest that the clock was ever ahead of the world, in milliseconds. */
  get furthestMs(): number {
    return this.#furthestMs
  }

  /** Sets the clock this far ahead of the world's time. Returns whether the clock was ever wrong. */
  setClock(aheadMs: number): boolean {
    if (aheadMs !== this.#wallOffsetMs) this.jumpClock(aheadMs - this.#wallOffsetMs)
    return this.#jumped
  }

  /** Confirms this machine's clock, as an operator does with `npm run confirm-clock`. */
  async confirmClock(): Promise<void> {
    const database = await this.#database
    const wall = this.#base.timeline.now() + this.#wallOffsetMs
    if (database !== undefined) await this.confirmIn(database, new Date(wall))
  }

  protected abstract confirmIn(database: Database, confirmedAt: Date): Promise<unknown>

  /** Closes a dead process's files, so that the next one reopens them. */
  async closeFiles(): Promise<void> {
    while (this.life.open > 0) await turn()
    await quiet()
    const database = this.#database
    this.#database = undefined
    await (await database)?.close()
  }

  #openSick(): Promise<Database> {
    const disk = this.#disk()
    this.#base.fail(disk)
    return this.#open(this.#base.databaseUrl, disk)
  }

  /** Returns a disk whose failed COMMITs end the process immediately and silently, as in production. */
  #disk(): SickDisk {
    return {
      chance: () => this.chance,
      risk: () => (this.life.over ? 0 : this.#base.faults.deaths / 2),
      failed: () => {
        this.#base.trace.note(`${this.#name}: a COMMIT fails`)
        this.life.end()
        throw new Died()
      },
    }
  }

  #died(): void {
    this.kills += 1
    this.running = undefined
    this.clock.ended = true
    this.#base.trace.note(`${this.#name}: dies`)
    this.#base.onEnd?.()
  }
}
