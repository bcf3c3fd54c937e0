import type { Clock } from '../lib/clock.ts'
import { type ClockWatch, createClockWatch } from '../lib/clock-watch.ts'
import { raiseAlert } from './alerts/alerts.ts'
import type { TippingContext } from './context.ts'
import { forgetReplays } from './replays.ts'

/** NTP corrects a clock in small steps. */
const TOLERANCE_MS = 30_000
/** How long a wall clock that was set must have gone steadily before it is believed. */
const CONFIRM_SURPLUS_AFTER_MS = 24 * 3_600_000
/** A stop that seems longer than this may be a clock that is wrong. */
const MAX_STOP_MS = 6 * 3_600_000

/**
 * The book's own time, and whether the wall clock can be trusted. It begins where the book was left, moves with the
 * monotonic clock, and is kept in the book. A wall clock that is set while the bot runs does not move it. A start at which
 * the wall clock stands before it, or far after it, is told to operators; until the wall clock has gone steadily for a day
 * nothing expires by it.
 */
export class BookClock implements ClockWatch {
  readonly #clock: Clock
  readonly #job: ClockWatch
  /** Book time less the monotonic clock's. */
  #offset: number
  /** The monotonic time since when the wall clock is doubted though it has not been seen to jump. */
  #doubtedSince: number | undefined

  constructor(clock: Clock) {
    this.#clock = clock
    this.#job = createClockWatch(clock, { toleranceMs: TOLERANCE_MS, steadyAfterMs: CONFIRM_SURPLUS_AFTER_MS })
    this.#offset = clock.now() - clock.monotonic()
  }

  /** Milliseconds since 1970 by the book's time. */
  now(): number {
    return this.#clock.monotonic() + this.#offset
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
    const steady = this.#job.isSteady()
    const believed =
      this.#doubtedSince === undefined || this.#clock.monotonic() - this.#doubtedSince >= CONFIRM_SURPLUS_AFTER_MS
    return steady && believed
  }

  /** Goes on from the time that the book has kept. To be called once, before anything goes by it. */
  async load(context: TippingContext): Promise<void> {
    const kept = await context.database.read.bookTime.findUnique({ where: { id: 1 } })
    if (kept !== null) await this.#goOnFrom(context, kept.at.getTime())
    await this.keep(context)
  }

  /** Writes the time into the book; to be called now and then. A wall clock that is believed by now sets it. */
  async keep(context: TippingContext): Promise<void> {
    if (this.isSteady()) await this.#follow(context)
    const at = new Date(this.now())
    await context.commit({
      write: (tx) => tx.bookTime.upsert({ where: { id: 1 }, create: { id: 1, at }, update: { at } }),
    })
  }

  async #goOnFrom(context: TippingContext, kept: number): Promise<void> {
    const wall = this.#clock.now()
    const stopMs = wall - kept
    if (stopMs >= 0 && stopMs <= MAX_STOP_MS) return
    this.#offset = kept - this.#clock.monotonic()
    if (stopMs < 0 && stopMs >= -TOLERANCE_MS) return
    this.#doubtedSince = this.#clock.monotonic()
    const [said, known] = [new Date(wall).toISOString(), new Date(kept).toISOString()]
    const text =
      `the machine's clock says ${said}, and the book was last written at ${known}. If the clock is wrong, set it and start ` +
      'again. Until it has gone steadily for a day nothing expires: tips that nobody claimed, drops and giveaways wait'
    await context.commit({ write: (tx) => raiseAlert(context, tx, { kind: 'clock', about: said, text }) })
  }

  async #follow(context: TippingContext): Promise<void> {
    const ahead = this.#clock.now() - this.now()
    if (ahead < -TOLERANCE_MS) await forgetReplays(context)
    if (Math.abs(ahead) > TOLERANCE_MS || ahead > 0) this.#offset += ahead
    this.#doubtedSince = undefined
  }
}
