import { hostname } from 'node:os'
import type { ClockDoubt, KeptTime, TimeStore } from './book-time-store.ts'
import type { Clock } from './clock.ts'
import { type ClockWatch, createClockWatch } from './clock-watch.ts'
import { Problem } from './problem.ts'

/** The difference up to which a clock does not count as set, because NTP corrects it in small steps. */
const TOLERANCE_MS = 30_000
/**
 * How far the wall clocks of two machines may differ. NTP keeps them within a second, so only a failing NTP reaches
 * this. Whatever uses only a wall clock, such as a pause between tips, is wrong by at most this much; Discord and our
 * callbacks accept a signature for five minutes.
 */
const APART_MS = 2 * 60_000
/** How long a doubted wall clock must have run steadily before it is trusted. */
const STEADY_AFTER_MS = 24 * 3_600_000
/**
 * The longest time for which a process can be stopped without suggesting a wrong clock. At a start, a confirmation is
 * valid for as long.
 */
const MAX_STOP_MS = 6 * 3_600_000
/** The time within which every process on the book has noticed that the book's time was set, or is gone. */
const NOTICED_AFTER_MS = 10 * 60_000

/**
 * The wall clock and the database server's differ by minutes, and either may be wrong, so a process must not start, or
 * a clock must not be confirmed.
 */
export class ClocksApart extends Problem {
  override name = 'ClocksApart'
}

/**
 * A book's own time, and whether the wall clock can be trusted. The time begins where the book was left, moves with the
 * monotonic clock, and is stored in the book. Setting the wall clock while the process runs does not move the book's
 * time. If the wall clock is before the book's time, or far after it, at a start, operators are alerted. Until the wall
 * clock has run steadily for a day, or an operator confirms it, nothing expires by the wall clock.
 *
 * Several processes may maintain the time of one book, and may trust different clocks. These rules hold:
 *
 * - **Moving forward.** Each process writes its time, never an earlier one than the book has, and adopts a later one.
 *   So all have the same time within the interval of `keep`, and nothing that one process begins seems younger to
 *   another.
 * - **Setting.** Only a process that begins to believe its wall clock sets the time by it, forward or back. The book
 *   counts how often its time was set, and a process sets it only if the count is still the one that the process read,
 *   so only one of several processes sets it, and only once. By means of the same count, a write by a process that has
 *   not noticed the setting is refused.
 * - **A set time is a verdict.** A process that notices a set time adopts it. If its own wall clock agrees, the process
 *   trusts that clock, too, so one confirmation reaches every process with the right clock. Otherwise, the process
 *   doubts its wall clock.
 * - **A confirmation** applies to the wall clock as it stood then. A running process judges each confirmation once,
 *   when it first reads it: the confirmation holds for a wall clock that has kept running since. The confirmation stays
 *   in the book until the time is set by that clock.
 * - **A day's steadiness** lets a process set the time only if no process has believed its wall clock during that day.
 *   Otherwise two processes with different clocks would set the time in turn. If another process believes its wall
 *   clock, agreeing with the book is enough.
 * - **Machines are compared** by the clock of the database's server, which all processes share. A process whose wall
 *   clock is minutes apart from it does not start. A process whose wall clock drifts that far while the process runs
 *   doubts its clock, and believes no confirmation, until the two clocks agree again.
 * - **A process whose wall clock falls behind the book's time** by minutes doubts its wall clock: another process is
 *   ahead.
 * - **If the time is set back**, the same time passes twice. The transaction that sets it back forgets which keys may
 *   be sent again. Work that a process begins before it notices the setting seems to be in the future, and the keys of
 *   that work are forgotten likewise.
 */
export class BookClock implements ClockWatch {
  readonly #clock: Clock
  #store: TimeStore | undefined
  #watch: ClockWatch
  /** The book's time minus the monotonic clock's. */
  #offset: number
  /** The monotonic time since when the wall clock has been doubted; undefined if it is trusted. */
  #doubtedSince: number | undefined
  /** How often the book's time had been set when this process last checked, and when that was (monotonic). */
  #setNumber = 0
  #lookedAt = Number.NEGATIVE_INFINITY
  /** The last confirmation that was judged. */
  #judged: number | undefined
  /** The last sign that a process trusts its wall clock, and the monotonic time of another process's last sign. */
  #sign: number | undefined
  #otherBelievedAt = Number.NEGATIVE_INFINITY
  /** Whether the wall clock differed from the server's at the last comparison. */
  #isApart = false
  /** The monotonic time when the book's time was last set back. */
  #setBackAt = Number.NEGATIVE_INFINITY
  #turn: Promise<void> = Promise.resolve()

  constructor(clock: Clock) {
    this.#clock = clock
    this.#watch = newWatch(clock)
    this.#offset = clock.now() - clock.monotonic()
  }

  /** Returns the book's time in milliseconds since 1970. */
  now(): number {
    return this.#clock.monotonic() + this.#offset
  }

  /**
   * Returns the later of the book's time and the wall clock's, in milliseconds since 1970, so that a wrong clock makes
   * nothing valid for longer.
   */
  latest(): number {
    return Math.max(this.now(), this.#clock.now())
  }

  /**
   * Returns the earlier of the book's time and the wall clock's, in milliseconds since 1970, so that a wrong clock
   * makes nothing due earlier.
   */
  earliest(): number {
    return Math.min(this.now(), this.#clock.now())
  }

  /** Whether a moment of the wall clock's time has passed. No moment has while the wall clock cannot be trusted. */
  hasPassed(at: Date): boolean {
    return this.isSteady() && at.getTime() <= this.#clock.now()
  }

  /**
   * Returns how much time can have passed since a moment of the book's time, in milliseconds, by the clock that shows
   * more. Returns infinity for a future moment, whose age is unknown.
   */
  mostSince(at: Date): number {
    const now = this.now()
    if (at.getTime() > now + TOLERANCE_MS) return Number.POSITIVE_INFINITY
    return Math.max(now, this.#clock.now()) - at.getTime()
  }

  isSteady(): boolean {
    if (!this.#watch.isSteady()) {
      this.#watch = newWatch(this.#clock)
      this.#doubtedSince = this.#clock.monotonic()
    }
    return this.#doubtedSince === undefined
  }

  /**
   * Resumes from the book's stored time. Must be called once, before anything uses the time. Throws ClocksApart if the
   * wall clock and the database server's differ by minutes.
   */
  async load(store: TimeStore): Promise<void> {
    this.#store = store
    await this.#inTurn(async () => {
      const apart = await compare(this.#clock, store.serverTime)
      if (apart !== undefined)
        throw new ClocksApart(`Satchel does not start: ${setRight(apart)}, then start again. Nothing was changed.`)
      const kept = await store.read()
      const doubt = kept && this.#goOnFrom(kept)
      if (kept !== undefined && this.#isConfirmed(kept, MAX_STOP_MS)) {
        let done = await this.#set(store, kept)
        while (!done) done = await this.#look(store)
      }
      if (doubt !== undefined && !this.isSteady()) await store.tell(doubt)
      await this.#write(store)
    })
  }

  /**
   * Reads the book's time and writes it forward. Must be called about every minute. A wall clock that is trusted, or
   * that an operator has confirmed, sets the time.
   */
  async keep(): Promise<void> {
    const store = this.#store
    if (store === undefined) return
    await this.#inTurn(async () => {
      await this.#compareAgain(store)
      // If another process sets the time between the check and the setting, check again.
      let done = false
      while (!done) done = await this.#look(store)
      await this.#write(store)
      if (this.#clock.monotonic() - this.#setBackAt < NOTICED_AFTER_MS)
        await store.afterSetBack(new Date(this.now() + TOLERANCE_MS))
    })
  }

  /** Follows the time in the book, or sets it. Resolves to false if another process has set the time first. */
  async #look(store: TimeStore): Promise<boolean> {
    const kept = await store.read()
    if (kept === undefined) return true
    const sinceMs = this.#clock.monotonic() - this.#lookedAt
    this.#lookedAt = this.#clock.monotonic()
    this.#noteSign(kept)
    if (kept.setNumber !== this.#setNumber) await this.#followSet(store, kept, sinceMs)
    else if (kept.at.getTime() > this.now()) await this.#goOnWith(store, kept)
    const confirmed = this.#isConfirmed(kept, sinceMs) && !this.#isApart
    if (confirmed || this.#maySet()) return await this.#set(store, kept)
    if (this.#isOldDoubt() && Math.abs(this.#aheadMs()) <= APART_MS) this.#believe()
    return true
  }

  /**
   * Compares the wall clock with the server's while the process runs. Doubts the wall clock as long as they differ, and
   * then as after a jump.
   */
  async #compareAgain(store: TimeStore): Promise<void> {
    const apart = await compare(this.#clock, store.serverTime)
    if (apart !== undefined) {
      this.#doubtedSince = this.#clock.monotonic()
      if (!this.#isApart) await store.tell(apart)
    }
    this.#isApart = apart !== undefined
  }

  /** Sets the time at which this process starts. Returns the doubt with which it starts, if there is one. */
  #goOnFrom(kept: KeptTime): ClockDoubt | undefined {
    const wall = this.#clock.now()
    const stopMs = wall - kept.at.getTime()
    const goesOn = stopMs >= 0 && stopMs <= MAX_STOP_MS
    this.#offset = (goesOn ? wall : kept.at.getTime()) - this.#clock.monotonic()
    this.#setNumber = kept.setNumber
    this.#lookedAt = this.#clock.monotonic()
    this.#noteSign(kept, this.now() - (kept.believedAt?.getTime() ?? 0))
    if (goesOn || (stopMs < 0 && stopMs >= -TOLERANCE_MS)) return undefined
    this.#doubtedSince = this.#clock.monotonic()
    return { wall: new Date(wall), kept: kept.at }
  }

  /** Handles a time that another process has set since the last check, at most `sinceMs` ago. */
  async #followSet(store: TimeStore, kept: KeptTime, sinceMs: number): Promise<void> {
    const setBack = kept.at.getTime() < this.now()
    this.#offset = kept.at.getTime() - this.#clock.monotonic()
    this.#setNumber = kept.setNumber
    const ahead = this.#aheadMs()
    if (!this.#isApart && ahead >= -APART_MS && ahead <= sinceMs + APART_MS) this.#believe()
    else await this.#doubt(store, kept)
    if (setBack) await this.#afterSetBack(store)
  }

  /** Adopts a later time that another process has written. */
  async #goOnWith(store: TimeStore, kept: KeptTime): Promise<void> {
    this.#offset = kept.at.getTime() - this.#clock.monotonic()
    if (this.#aheadMs() < -APART_MS) await this.#doubt(store, kept)
  }

  async #doubt(store: TimeStore, kept: KeptTime): Promise<void> {
    if (!this.isSteady()) return
    this.#doubtedSince = this.#clock.monotonic()
    await store.tell({ wall: new Date(this.#clock.now()), kept: kept.at })
  }

  #believe(): void {
    this.#doubtedSince = undefined
    this.#watch = newWatch(this.#clock)
  }

  /**
   * Judges a confirmation, once. A confirmation is valid for the wall clock as it stood then. A clock that is now
   * before the confirmation, or after it by more than `sinceMs`, was set again.
   */
  #isConfirmed({ confirmedAt }: KeptTime, sinceMs: number): boolean {
    if (confirmedAt === null || confirmedAt.getTime() === this.#judged) return false
    this.#judged = confirmedAt.getTime()
    const agoMs = this.#clock.now() - this.#judged
    return agoMs >= -TOLERANCE_MS && agoMs <= Math.min(sinceMs + TOLERANCE_MS, MAX_STOP_MS)
  }

  /** Whether the wall clock may set the time because it has run steadily. */
  #maySet(): boolean {
    if (this.#clock.monotonic() - this.#otherBelievedAt < STEADY_AFTER_MS) return false
    return this.#isOldDoubt() || (this.isSteady() && this.#aheadMs() < -TOLERANCE_MS)
  }

  /** Whether the wall clock was doubted, and has run steadily for a day since. */
  #isOldDoubt(): boolean {
    if (this.isSteady() || this.#doubtedSince === undefined) return false
    return this.#clock.monotonic() - this.#doubtedSince >= STEADY_AFTER_MS
  }

  /** Sets the time by the wall clock. Resolves to false if another process was first. */
  async #set(store: TimeStore, kept: KeptTime): Promise<boolean> {
    const ahead = this.#aheadMs()
    const isOff = ahead > 0 || ahead < -TOLERANCE_MS
    const at = new Date(isOff ? this.#clock.now() : Math.max(this.now(), kept.at.getTime()))
    if (!(await store.set(at, kept))) return false
    if (isOff) this.#offset += ahead
    this.#setNumber = kept.setNumber + 1
    this.#sign = at.getTime()
    this.#believe()
    if (at < kept.at) await this.#afterSetBack(store)
    return true
  }

  async #afterSetBack(store: TimeStore): Promise<void> {
    this.#setBackAt = this.#clock.monotonic()
    await store.afterSetBack(new Date(this.now()))
  }

  async #write(store: TimeStore): Promise<void> {
    const believed = this.isSteady()
    if (believed) this.#offset += Math.max(0, this.#aheadMs())
    const at = this.now()
    await store.write({ at: new Date(at), believed, setNumber: this.#setNumber })
    if (believed) this.#sign = new Date(at).getTime()
  }

  /** Notes that another process trusted its wall clock `agoMs` ago. */
  #noteSign({ believedAt }: KeptTime, agoMs = 0): void {
    if (believedAt === null || believedAt.getTime() === this.#sign) return
    this.#sign = believedAt.getTime()
    this.#otherBelievedAt = this.#clock.monotonic() - Math.max(0, agoMs)
  }

  /** Returns how far the wall clock is ahead of the book's time. */
  #aheadMs(): number {
    return this.#clock.now() - this.now()
  }

  /** Runs checks one after another. */
  #inTurn(run: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(run)
    this.#turn = done.catch(() => undefined)
    return done
  }
}

/** Throws ClocksApart if a wall clock that somebody wants to confirm differs by minutes from the database server's. */
export async function assertTogether(clock: Clock, serverTime: TimeStore['serverTime']): Promise<void> {
  const apart = await compare(clock, serverTime)
  if (apart !== undefined)
    throw new ClocksApart(`Nothing was confirmed: ${setRight(apart)}, then confirm the clock again.`)
}

/** Describes a doubt, and what to do. `waits`: what does not expire meanwhile, such as `unclaimed tips`. */
export function describeDoubt(doubt: ClockDoubt, waits: string): string {
  if ('server' in doubt) {
    return (
      `${setRight(doubt)}, then confirm it there: npm run confirm-clock. Until then, or until it has gone steadily for a ` +
      `day, nothing expires by it: ${waits} wait`
    )
  }
  return (
    `${clockSays(doubt)}, and the book was last written at ${doubt.kept.toISOString()}. If the clock is wrong, set it and start ` +
    'again. If it is right, confirm it there: npm run confirm-clock. Until then, or until it has gone steadily for a day, ' +
    `nothing expires: ${waits} wait`
  )
}

interface Apart {
  readonly wall: Date
  readonly server: Date
}

/**
 * Returns both clocks if they are too far apart. The server's time was read at some moment of the round trip, so half
 * of the round trip is the tolerance.
 */
async function compare(clock: Clock, serverTime: TimeStore['serverTime']): Promise<Apart | undefined> {
  if (serverTime === undefined) return undefined
  const asked = clock.monotonic()
  const server = await serverTime()
  const halfMs = (clock.monotonic() - asked) / 2
  const wall = clock.now()
  if (Math.abs(wall - halfMs - server) - halfMs <= APART_MS) return undefined
  return { wall: new Date(wall), server: new Date(server + halfMs) }
}

function setRight(apart: Apart): string {
  const server = `and the clock of the database's server says ${apart.server.toISOString()}`
  return `${clockSays(apart)}, ${server}. Correct the wrong clock (NTP keeps both within a second)`
}

/** States the time of this machine's clock, with the machine's name, because several machines may share a book. */
function clockSays({ wall }: Pick<Apart, 'wall'>): string {
  return `the clock of the machine ${hostname()} says ${wall.toISOString()}`
}

/** Creates a watch that is steady until the wall clock's first jump. */
function newWatch(clock: Clock): ClockWatch {
  return createClockWatch(clock, { toleranceMs: TOLERANCE_MS, steadyAfterMs: Number.POSITIVE_INFINITY })
}
