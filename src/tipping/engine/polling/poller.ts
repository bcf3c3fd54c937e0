import type { Clock } from '../../../lib/clock.ts'
import type { Logger } from '../../../lib/logger.ts'
import { type RoundWorker, startWorker } from '../../../lib/worker.ts'
import type { Activity } from '../../core/activity.ts'
import type { CoreContext } from '../../core/context.ts'
import type { Tx } from '../../core/database.ts'
import type { TippingOwnership } from '../../core/ownership.ts'
import type { PollJob } from '../../generated/client.ts'

/** When to poll again. `inMs` is null if nothing more can be learned until a hint comes. */
export interface Next {
  readonly inMs: number | null
  /** Whether nothing was learned, because the provider did not answer. */
  readonly unread?: true
}

export const END: Next = { inMs: null }

export function inMs(ms: number): Next {
  return { inMs: ms }
}

/** Marks a poll as one that the provider did not answer. Such a poll proves nothing, and does not count. */
export function unread(next: Next): Next {
  return { ...next, unread: true }
}

/** The dependencies of polls and hints. */
export interface PollingContext extends CoreContext {
  readonly poller: Poller
}

export type PollKind =
  | 'fundraiser'
  | 'payout'
  | 'deposit'
  | 'invoice'
  | 'withdrawal'
  | 'voucher'
  | 'voucher-batch'
  | 'list'
  | 'redemption'
  | 'drop'
  | 'giveaway'
  | 'ask'
  | 'address'
  | 'forward'
  | 'wallet-payment'
  | 'wallet-promise'
  | 'announcement'

/** Polls one record: reads it from the provider by its stored id, and writes the result. */
export type Poll = (job: PollJob) => Promise<Next>

const MAX_CONCURRENT = 8
/** The pause after a poll that failed for an internal reason. */
const AFTER_FAILURE_MS = 30_000
/** The first and the longest pause after a failure to read or write a job. Each failure doubles the pause. */
const FIRST_REST_MS = 1_000
const MAX_REST_MS = 60_000
/** The longest time that a timer waits, because the wall clock may be changed meanwhile. */
const MAX_WAIT_MS = 3_600_000
/** The longest pause between two polls of a record, as long as anything can still be learned. */
const MAX_PAUSE_MS = 24 * 3_600_000

export interface NewPollJob {
  readonly id: string
  readonly kind: PollKind
  readonly bornAt: Date
  readonly token?: string | undefined
}

/** Schedules a record's next poll, in the transaction that needs it. */
export async function schedulePoll(tx: Tx, { id, kind, bornAt, token }: NewPollJob, nextAt: Date): Promise<void> {
  await tx.pollJob.upsert({ where: { id }, create: { id, kind, bornAt, token, nextAt }, update: { nextAt } })
}

/** Schedules polls of records at `nextAt`. A poll that is already running does not overwrite that time. */
export async function pollAgain(tx: Tx, ids: readonly string[], nextAt: Date): Promise<void> {
  await tx.pollJob.updateMany({ where: { id: { in: [...ids] } }, data: { nextAt, hints: { increment: 1 } } })
}

/**
 * Polls each record when it is due. A hint makes its record due now. The database stores the times, so they survive a
 * restart. A hint during a poll leads to another poll. If several bots share a book, only one of them polls at a time.
 */
export class Poller {
  readonly #database: CoreContext['database']
  readonly #commit: CoreContext['commit']
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #activity: Activity
  readonly #ownership: TippingOwnership
  readonly #polls: Readonly<Record<PollKind, Poll>>
  readonly #busy = new Set<string>()
  readonly #worker: RoundWorker
  /** Whether a job was due, but had to wait for other jobs. */
  #crowded = false
  /** The pause while the database fails, and its end by the monotonic clock. Everything stays due meanwhile. */
  #rest = { ms: 0, until: 0 }

  constructor(
    parts: Pick<CoreContext, 'database' | 'commit' | 'clock' | 'logger' | 'activity' | 'ownership'>,
    polls: Readonly<Record<PollKind, Poll>>,
  ) {
    this.#database = parts.database
    this.#commit = parts.commit
    this.#clock = parts.clock
    this.#logger = parts.logger
    this.#activity = parts.activity
    this.#ownership = parts.ownership
    this.#polls = polls
    // The activity logs a round's errors.
    const round = () => this.#activity.run('poller', () => this.#startDue())
    this.#worker = startWorker({ clock: parts.clock, round, pauseMs: Number.POSITIVE_INFINITY, failed: () => {} })
  }

  /** Starts due jobs, and sets the timer for the others. Call this whenever there is a new job. */
  wake(): Promise<void> {
    this.#worker.wake()
    return this.#worker.idle()
  }

  /** Whether a job is due that this bot can poll now. */
  async due(): Promise<boolean> {
    if (this.#activity.closed || this.#restsMs() > 0 || !this.#ownership.has('polls')) return false
    const [next] = await this.#next()
    return next !== undefined && next.at <= this.#clock.now()
  }

  /**
   * Makes jobs due now that are scheduled far beyond the longest pause, because they were scheduled before the wall
   * clock was set back.
   */
  async mend(): Promise<void> {
    const now = this.#clock.now()
    const where = { nextAt: { gt: new Date(now + 2 * MAX_PAUSE_MS) } }
    // Stryker disable next-line ConditionalExpression,ObjectLiteral: avoids a write that would change nothing.
    if ((await this.#database.read.pollJob.count({ where })) === 0) return
    await this.#commit({ write: (tx) => tx.pollJob.updateMany({ where, data: { nextAt: new Date(now) } }) })
    void this.wake()
  }

  close(): void {
    void this.#worker.close()
  }

  async #startDue(): Promise<void> {
    // Every few seconds, check for other bots' writes, and whether this bot has become the one that polls.
    if (!this.#ownership.has('polls')) return
    const restsMs = this.#restsMs()
    if (restsMs > 0) return this.#worker.wakeIn(restsMs)
    const next = await this.#next().catch((error: unknown) => {
      this.#restLonger()
      this.#worker.wakeIn(this.#rest.ms)
      throw error
    })
    for (const { at, job } of next) {
      // A busy poll wakes the poller when it ends.
      this.#crowded = this.#busy.size >= MAX_CONCURRENT
      if (this.#crowded || this.#activity.closed) return
      if (at > this.#clock.now()) return this.#wakeAt(at)
      this.#busy.add(job.id)
      void this.#activity.run(`poll ${job.kind}`, () => this.#poll(job))
    }
  }

  /** Returns the next jobs, soonest first by the wall clock: as many as can be started, and one more. */
  async #next(): Promise<{ readonly at: number; readonly job: PollJob }[]> {
    // A job that is not busy has stored its next time.
    const busy = new Set(this.#busy)
    const soonest = await this.#database.read.pollJob.findMany({
      where: { nextAt: { not: null } },
      orderBy: [{ nextAt: 'asc' }, { id: 'asc' }],
      take: MAX_CONCURRENT + 1,
    })
    return soonest.flatMap((job) =>
      job.nextAt === null || busy.has(job.id) ? [] : [{ at: job.nextAt.getTime(), job }],
    )
  }

  /** Wakes the poller at this time by the wall clock, or earlier. */
  #wakeAt(at: number): void {
    this.#worker.wakeIn(Math.min(Math.max(at - this.#clock.now(), 0), MAX_WAIT_MS))
  }

  #restsMs(): number {
    return this.#rest.until - this.#clock.monotonic()
  }

  /** Lengthens the pause after a failure. If many jobs fail together, only the first failure lengthens it. */
  #restLonger(): void {
    if (this.#restsMs() > 0) return
    const ms = Math.min(Math.max(this.#rest.ms * 2, FIRST_REST_MS), MAX_REST_MS)
    this.#rest = { ms, until: this.#clock.monotonic() + ms }
  }

  async #poll(job: PollJob): Promise<void> {
    let undisturbed = false
    let nextAt: Date | null = null
    try {
      const next = await this.#polls[job.kind as PollKind](job).catch((error: unknown) => {
        if (!this.#activity.closed) this.#logger.error({ err: error, job: job.id }, 'a poll failed')
        return unread(inMs(AFTER_FAILURE_MS))
      })
      if (this.#activity.closed) return
      const pauseMs = Math.min(next.inMs ?? 0, MAX_PAUSE_MS)
      nextAt = next.inMs === null ? null : new Date(together(this.#clock.now() + pauseMs))
      const { count } = await this.#commit({
        write: (tx) =>
          // A hint that came meanwhile has set its own time.
          tx.pollJob.updateMany({
            where: { id: job.id, hints: job.hints },
            data: { nextAt, ...(!next.unread && { polls: { increment: 1 } }) },
          }),
      })
      undisturbed = count > 0
      this.#rest = { ms: 0, until: 0 }
    } catch (error) {
      this.#restLonger()
      throw error
    } finally {
      this.#busy.delete(job.id)
      // Stryker disable next-line ConditionalExpression: avoids a query for due jobs that would find the same and set
      // the same timer.
      if (!undisturbed || this.#crowded) void this.wake()
      else if (nextAt !== null) this.#wakeAt(nextAt.getTime())
    }
  }
}

/** Rounds a time up to a full second, so that records due within the same second are polled and written together. */
function together(at: number): number {
  return Math.ceil(at / 1_000) * 1_000
}

/**
 * Returns the pause before the next poll of a record of this age: an eighth of the age, but between two seconds and a
 * day. Polling slows down, but never stops. A record that is from the future, because the clock was set back, counts as
 * equally far in the past.
 */
export function paceMs(bornAt: Date, now: number): number {
  return Math.min(Math.max(Math.abs(now - bornAt.getTime()) / 8, 2_000), 24 * 3_600_000)
}
