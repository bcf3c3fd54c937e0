import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import type { Activity } from '../activity.ts'
import type { TippingContext } from '../context.ts'
import type { Tx } from '../database.ts'
import type { Watch } from '../generated/client.ts'

/** When to look again; `null` when there is nothing more to see, until somebody hints. */
export interface Next {
  readonly inMs: number | null
  /** Nothing was learned, since the provider could not be asked. */
  readonly unread?: true
}

export const END: Next = { inMs: null }

export function inMs(ms: number): Next {
  return { inMs: ms }
}

/** The provider could not be asked: this look has shown nothing, and counts as none. */
export function unread(next: Next): Next {
  return { ...next, unread: true }
}

export type WatchKind =
  | 'fundraiser'
  | 'payout'
  | 'deposit'
  | 'invoice'
  | 'withdrawal'
  | 'voucher'
  | 'redemption'
  | 'drop'
  | 'giveaway'
  | 'address'

/** Looks at one record: reads what the provider says of it, by the id stored here, and writes what follows. */
export type Look = (watch: Watch) => Promise<Next>

const MAX_CONCURRENT = 8
/** After a look that failed for a reason of ours. */
const AFTER_FAILURE_MS = 30_000
/** The wall clock may be set while a timer waits, so no timer waits for long. */
const MAX_WAIT_MS = 3_600_000
/** Everything is looked at this often, until there is nothing more to see. */
const MAX_PAUSE_MS = 24 * 3_600_000

/** The timer, and the wall clock's time that it is set for. */
const NO_ALARM: { readonly at: number; readonly cancel: () => void } = {
  at: Number.POSITIVE_INFINITY,
  cancel: () => {},
}

export interface NewWatch {
  readonly id: string
  readonly kind: WatchKind
  readonly bornAt: Date
  readonly token?: string | undefined
}

/** Starts to watch a record, or goes on watching it, in the transaction that needs it. */
export async function watchAgain(tx: Tx, { id, kind, bornAt, token }: NewWatch, nextAt: Date): Promise<void> {
  await tx.watch.upsert({ where: { id }, create: { id, kind, bornAt, token, nextAt }, update: { nextAt } })
}

/**
 * Looks at what is watched when its time has come. A hint makes it now. The times are in the database, so that nothing
 * is forgotten over a restart; a hint that comes while its record is being looked at leads to another look.
 */
export class Watcher {
  readonly #database: TippingContext['database']
  readonly #commit: TippingContext['commit']
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #activity: Activity
  readonly #looks: Readonly<Record<WatchKind, Look>>
  readonly #busy = new Set<string>()
  #alarm = NO_ALARM
  /** Something was due and had to wait for others. */
  #crowded = false
  #waking: Promise<void> | undefined
  #wakeAgain = false

  constructor(
    parts: Pick<TippingContext, 'database' | 'commit' | 'clock' | 'logger' | 'activity'>,
    looks: Readonly<Record<WatchKind, Look>>,
  ) {
    this.#database = parts.database
    this.#commit = parts.commit
    this.#clock = parts.clock
    this.#logger = parts.logger
    this.#activity = parts.activity
    this.#looks = looks
  }

  /** Starts whatever is due, and sets the timer for what is not. Called whenever something new is to be watched. */
  wake(): Promise<void> {
    this.#wakeAgain = true
    this.#waking ??= this.#activity
      .run('watcher', async () => {
        while (this.#wakeAgain && !this.#activity.closed) {
          this.#wakeAgain = false
          await this.#startDue()
        }
      })
      .finally(() => {
        this.#waking = undefined
      })
    return this.#waking
  }

  /** Whether something is to be looked at now. */
  async due(): Promise<boolean> {
    if (this.#activity.closed) return false
    const [next] = await this.#next()
    return next !== undefined && next.at <= this.#clock.now()
  }

  /** Looks now at whatever waits for a time beyond the longest pause: it was set before the wall clock was set back. */
  async mend(): Promise<void> {
    const now = this.#clock.now()
    const where = { nextAt: { gt: new Date(now + 2 * MAX_PAUSE_MS) } }
    if ((await this.#database.read.watch.count({ where })) === 0) return
    await this.#commit({ write: (tx) => tx.watch.updateMany({ where, data: { nextAt: new Date(now) } }) })
    void this.wake()
  }

  close(): void {
    this.#alarm.cancel()
  }

  async #startDue(): Promise<void> {
    this.#alarm.cancel()
    for (const { at, watch } of await this.#next()) {
      // Whoever is busy wakes the watcher when done.
      this.#crowded = this.#busy.size >= MAX_CONCURRENT
      if (this.#crowded || this.#activity.closed) return
      if (at > this.#clock.now()) return this.#wakeAt(at)
      this.#busy.add(watch.id)
      void this.#activity.run(`look at ${watch.kind}`, () => this.#look(watch))
    }
  }

  /** What is to be looked at next, the soonest first, by the wall clock: as many as can be begun, and one more. */
  async #next(): Promise<{ readonly at: number; readonly watch: Watch }[]> {
    // Whoever is not busy now has written down when to be looked at next.
    const busy = new Set(this.#busy)
    const soonest = await this.#database.read.watch.findMany({
      where: { nextAt: { not: null } },
      orderBy: { nextAt: 'asc' },
      take: MAX_CONCURRENT + 1,
    })
    return soonest.flatMap((watch) =>
      watch.nextAt === null || busy.has(watch.id) ? [] : [{ at: watch.nextAt.getTime(), watch }],
    )
  }

  /** Wakes the watcher then, if not before. */
  #wakeAt(at: number): void {
    if (this.#activity.closed || at >= this.#alarm.at) return
    this.#alarm.cancel()
    const waitMs = Math.min(Math.max(at - this.#clock.now(), 0), MAX_WAIT_MS)
    const stop = this.#clock.after(waitMs, () => void this.wake())
    const cancel = () => {
      this.#alarm = NO_ALARM
      stop()
    }
    this.#alarm = { at, cancel }
  }

  async #look(watch: Watch): Promise<void> {
    let undisturbed = false
    let nextAt: Date | null = null
    try {
      const next = await this.#looks[watch.kind as WatchKind](watch).catch((error: unknown) => {
        if (!this.#activity.closed) this.#logger.error({ err: error, watch: watch.id }, 'looking at a record failed')
        return unread(inMs(AFTER_FAILURE_MS))
      })
      if (this.#activity.closed) return
      const pauseMs = Math.min(next.inMs ?? 0, MAX_PAUSE_MS)
      nextAt = next.inMs === null ? null : new Date(together(this.#clock.now() + pauseMs))
      const { count } = await this.#commit({
        write: (tx) =>
          // A hint that came meanwhile has set its own time.
          tx.watch.updateMany({
            where: { id: watch.id, hints: watch.hints },
            data: { nextAt, ...(!next.unread && { looks: { increment: 1 } }) },
          }),
      })
      undisturbed = count > 0
    } finally {
      this.#busy.delete(watch.id)
      if (!undisturbed || this.#crowded) void this.wake()
      else if (nextAt !== null) this.#wakeAt(nextAt.getTime())
    }
  }
}

/** What is due within the same second is looked at together, and written down together. */
function together(at: number): number {
  return Math.ceil(at / 1_000) * 1_000
}

/**
 * How long to pause before looking at something of this age again: an eighth of its age, from two seconds to a day. So
 * it slows down, and never stops. What was born in the future, by a clock that was set back since, is as old as it is
 * far away.
 */
export function paceMs(bornAt: Date, now: number): number {
  return Math.min(Math.max(Math.abs(now - bornAt.getTime()) / 8, 2_000), 24 * 3_600_000)
}
