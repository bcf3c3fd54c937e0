import { OWNERSHIP_TIMES, type OwnershipTimes } from '../../src/lib/ownership/ownership.ts'
import type { Chance } from './chance.ts'
import { Died, Life, type SickDisk } from './crashing-database.ts'
import type { Network } from './network.ts'
import type { Server } from './simulated-http.ts'
import { ProcessClock, type Timeline } from './timeline.ts'
import type { Trace } from './trace.ts'
import { quiet, turn } from './wait-until-idle.ts'
import type { Complaint } from './watchful-log.ts'

/** How rough the world is at the moment, each from 0, nothing goes wrong, to 1. */
export interface Faults {
  /** The probability that a process dies at one of its commits. */
  deaths: number
  /** The probability that a call from the service to its node fails. */
  node: number
  /** Whether the database's server is unreachable, or was a moment ago, so that some have no new connection yet. */
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
  /** Whether it knows that no other process works on its book, as with the folder's lock. */
  readonly alone: boolean
  /** Makes this process's COMMITs fail as its disk says, if its database is on a server. */
  readonly fail: (disk: SickDisk) => void
  /** Receives each bug. */
  readonly onBug: (what: string, error: unknown) => void
  /** Handles a process's own complaints. */
  readonly onComplaint: (what: string) => void
  /** Whether a fault of this world excuses the complaint. */
  readonly isExcused: (side: 'bot' | 'service', complaint: Complaint) => boolean
  /** Called when a life has ended. */
  readonly onEnd?: () => void
}

/**
 * Half as often as in production, because a renewal costs a query of a real server. A lease is trusted, and lasts, as
 * long as ever.
 */
export const LEASE_RENEWALS: OwnershipTimes = { ...OWNERSHIP_TIMES, renewMs: 10_000 }

interface Closable {
  close(): Promise<void>
}

/** One side as a process: it runs on a database file, can be killed at any moment, and restarts where it was. */
export abstract class Process<Running extends Closable, Database extends Closable> {
  life = new Life(() => undefined)
  clock: ProcessClock
  chance: Chance
  running: Running | undefined
  kills = 0
  /** Somebody ensures that it does not start. */
  held = false
  /** It was told to stop: it finishes its work, and refuses new work because it is closed. */
  stopping = false
  /** Opened once, even if the process dies meanwhile: the next one finds it open. */
  #database: Promise<Database> | undefined
  #waiting = Promise.withResolvers<void>()
  #wallOffsetMs = 0
  /** The furthest that its clock was ever ahead. */
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

  /** Resolves when it runs. */
  async up(): Promise<Running> {
    while (this.running === undefined) await this.#waiting.promise
    return this.running
  }

  /** Starts a dead process, which takes time; it may die meanwhile. */
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

  /** Finishes the work without the end. */
  async finish(): Promise<void> {
    const { running, life } = this
    if (running === undefined) return
    this.stopping = true
    this.#base.trace.note(`${this.#name}: is told to stop`)
    await Promise.race([running.close(), life.death]).catch((error: unknown) => {
      if (!(error instanceof Died)) this.#base.onBug(`the ${this.#name} does not stop`, error)
    })
  }

  /** Sets this machine's wall clock, also for later processes. */
  jumpClock(ms: number): void {
    this.#jumped = true
    this.#wallOffsetMs += ms
    this.#furthestMs = Math.max(this.#furthestMs, this.#wallOffsetMs)
    this.clock.jump(ms)
  }

  /** How far its clock was ever ahead of the world, in milliseconds. */
  get furthestMs(): number {
    return this.#furthestMs
  }

  /** Sets its clock this far ahead of the world's time. Returns whether it was ever wrong. */
  setClock(aheadMs: number): boolean {
    if (aheadMs !== this.#wallOffsetMs) this.jumpClock(aheadMs - this.#wallOffsetMs)
    return this.#jumped
  }

  /** An operator confirms this machine's clock: `npm run confirm-clock`. */
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

  /** Ends the process immediately and silently when a COMMIT fails, as in production. */
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
