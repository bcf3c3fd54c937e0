import type { Clock } from './clock.ts'
import { type ClockWatch, createClockWatch } from './clock-watch.ts'

/** NTP corrects a clock in small steps. */
const TOLERANCE_MS = 30_000
/** How long a wall clock that was set must have gone steadily before it is believed. */
const STEADY_AFTER_MS = 24 * 3_600_000
/** A stop that seems longer than this may be a clock that is wrong. A confirmation holds as long. */
const MAX_STOP_MS = 6 * 3_600_000

/** A wall clock that cannot be believed at a start. */
export interface ClockDoubt {
  /** What the wall clock says. */
  readonly wall: Date
  /** The newest time that the book has seen. */
  readonly kept: Date
}

/** Where a book keeps its time. */
export interface TimeStore {
  /** The newest time that the book has seen, and by the wall clock when an operator confirmed it; undefined in a new book. */
  read(): Promise<{ readonly at: Date; readonly confirmedAt: Date | null } | undefined>
  /** Writes the time down, and removes the confirmation that was acted upon. */
  write(at: Date, confirmedAt: Date | null): Promise<void>
  /** Tells operators of a doubt. */
  tell(doubt: ClockDoubt): Promise<void>
  /** Comes before the time of the book goes back to that of the wall clock. */
  beforeSetBack?(): Promise<void>
}

/**
 * A book's own time, and whether the wall clock can be trusted. It begins where the book was left, moves with the
 * monotonic clock, and is kept in the book. A wall clock that is set while the process runs does not move it. A start at
 * which the wall clock stands before it, or far after it, is told to operators; until the wall clock has gone steadily for
 * a day, or an operator confirms it, nothing expires by it.
 */
export class BookClock implements ClockWatch {
  readonly #clock: Clock
  #store: TimeStore | undefined
  #watch: ClockWatch
  /** Book time less the monotonic clock's. */
  #offset: number
  /** The monotonic time since when the wall clock is doubted though it has not been seen to jump. */
  #doubtedSince: number | undefined

  constructor(clock: Clock) {
    this.#clock = clock
    this.#watch = newWatch(clock)
    this.#offset = clock.now() - clock.monotonic()
  }

  /** Milliseconds since 1970 by the book's time. */
  now(): number {
    return this.#clock.monotonic() + this.#offset
  }

  /** The later of the book's time and the wall clock's, in milliseconds since 1970: nothing is valid longer by a wrong clock. */
  latest(): number {
    return Math.max(this.now(), this.#clock.now())
  }

  /** The earlier of the book's time and the wall clock's, in milliseconds since 1970: nothing is due earlier by a wrong clock. */
  earliest(): number {
    return Math.min(this.now(), this.#clock.now())
  }

  /** Whether a moment of the wall clock's time has passed. Nothing has while the wall clock cannot be trusted. */
  hasPassed(at: Date): boolean {
    return this.isSteady() && at.getTime() <= this.#clock.now()
  }

  /**
   * How much time can have passed since a moment of the book's time, in milliseconds: the most that either clock says.
   * Endless for a moment that has not come: nobody can say how old it is.
   */
  mostSince(at: Date): number {
    const now = this.now()
    if (at.getTime() > now + TOLERANCE_MS) return Number.POSITIVE_INFINITY
    return Math.max(now, this.#clock.now()) - at.getTime()
  }

  isSteady(): boolean {
    const steady = this.#watch.isSteady()
    const believed = this.#doubtedSince === undefined || this.#clock.monotonic() - this.#doubtedSince >= STEADY_AFTER_MS
    return steady && believed
  }

  /** Goes on from the time that the book has kept. To be called once, before anything goes by it. */
  async load(store: TimeStore): Promise<void> {
    this.#store = store
    const kept = await store.read()
    if (kept !== undefined) await this.#goOnFrom(store, kept.at, kept.confirmedAt)
    await this.keep()
  }

  /**
   * Writes the time into the book; to be called every minute or so. A wall clock that is believed by now, or that an operator has
   * confirmed, sets it.
   */
  async keep(): Promise<void> {
    const store = this.#store
    if (store === undefined) return
    const confirmedAt = (await store.read())?.confirmedAt ?? null
    if (this.#isConfirmed(confirmedAt)) {
      this.#doubtedSince = undefined
      this.#watch = newWatch(this.#clock)
    }
    if (this.isSteady()) await this.#follow(store)
    await store.write(new Date(this.now()), confirmedAt)
  }

  async #goOnFrom(store: TimeStore, kept: Date, confirmedAt: Date | null): Promise<void> {
    const wall = this.#clock.now()
    const stopMs = wall - kept.getTime()
    if (stopMs >= 0 && stopMs <= MAX_STOP_MS) return
    this.#offset = kept.getTime() - this.#clock.monotonic()
    if ((stopMs < 0 && stopMs >= -TOLERANCE_MS) || this.#isConfirmed(confirmedAt)) return
    this.#doubtedSince = this.#clock.monotonic()
    await store.tell({ wall: new Date(wall), kept })
  }

  /** A confirmation is of the wall clock as it stood then: a clock that is elsewhere by now was set again. */
  #isConfirmed(confirmedAt: Date | null): boolean {
    if (confirmedAt === null) return false
    const sinceMs = this.#clock.now() - confirmedAt.getTime()
    return sinceMs >= -TOLERANCE_MS && sinceMs <= MAX_STOP_MS
  }

  async #follow(store: TimeStore): Promise<void> {
    const ahead = this.#clock.now() - this.now()
    if (ahead < -TOLERANCE_MS) await store.beforeSetBack?.()
    if (Math.abs(ahead) > TOLERANCE_MS || ahead > 0) this.#offset += ahead
    this.#doubtedSince = undefined
  }
}

/** A doubt in words, with what to do. `waits`: what does not expire meanwhile, such as `unclaimed tips`. */
export function describeDoubt({ wall, kept }: ClockDoubt, waits: string): string {
  return (
    `the machine's clock says ${wall.toISOString()}, and the book was last written at ${kept.toISOString()}. If the clock is ` +
    'wrong, set it and start again. If it is right, confirm it: npm run confirm-clock. Until then, or until it has gone ' +
    `steadily for a day, nothing expires: ${waits} wait`
  )
}

function newWatch(clock: Clock): ClockWatch {
  return createClockWatch(clock, { toleranceMs: TOLERANCE_MS, steadyAfterMs: STEADY_AFTER_MS })
}
