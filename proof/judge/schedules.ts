import type { Faults } from './faults.ts'
import type { Moment } from './moments.ts'

/** A schedule as its moderator typed it. */
export interface MadeSchedule {
  readonly owner: string
  readonly what: string
  /** Msats of each post. */
  readonly amount: bigint
  readonly times: number
  /** The time zone of the posts' time of day. */
  readonly zone: string
  readonly minuteOfDay: number
}

/** A schedule's post, as recorded in the book. */
export interface ScheduledPost {
  readonly id: string
  /** The operation's key: the schedule, and the number of the occurrence. */
  readonly interaction: string
  readonly kind: string
  readonly requester: string
  readonly amount: bigint
  readonly at: Date
}

/** A server's recap of its week or month. */
export interface ToldRecap {
  readonly guild: string
  readonly period: string
  readonly amount: bigint
  readonly days: readonly { readonly amount: bigint }[]
}

const DAY_MINUTES = 24 * 60
/** The limits of a post's time: later posts are skipped, and no clock jumps back further during a post. */
const MAX_LATE = 60 + 20
const MAX_EARLY = 20
const MINUTE_MS = 60_000

/** Judges schedules' posts, times and frequency. `Limits` judges the budgets that the posts use. */
export class Schedules {
  readonly #faults: Faults
  readonly #made = new Map<string, MadeSchedule>()
  readonly #stopped = new Map<string, Moment>()

  constructor(faults: Faults) {
    this.#faults = faults
  }

  made(id: string, schedule: MadeSchedule): void {
    this.#made.set(id, schedule)
  }

  /** Notes that somebody was told that a schedule has stopped. */
  stopped(id: string, at: Moment): void {
    if (!this.#stopped.has(id)) this.#stopped.set(id, at)
  }

  /**
   * Checks that each occurrence of each schedule was posted at most once, at its hour on its own day, and not after the
   * last occurrence or a stop.
   */
  judge(posts: readonly ScheduledPost[]): void {
    const days = new Map<string, string>()
    for (const post of posts) {
      const [, schedule = '', number = ''] = post.interaction.split(' ')
      const made = this.#made.get(schedule)
      if (made === undefined) {
        this.#faults.add(`${post.id} was posted by a schedule that nobody made: ${schedule}`)
        continue
      }
      const say = (what: string) => this.#faults.add(`the schedule ${schedule} ${what}: ${post.id}`)
      const { date, minuteOfDay } = clockIn(made.zone, post.at)
      for (const once of [`${schedule} ${number}`, `${schedule} on ${date}`]) {
        if (days.has(once)) say(`posted twice, ${days.get(once)} and again`)
        days.set(once, post.id)
      }
      if (Number(number) >= made.times) say(`posted after the last of its ${made.times} times`)
      this.#judgeTerms(post, made, say)
      const late = (minuteOfDay - made.minuteOfDay + DAY_MINUTES + MAX_EARLY) % DAY_MINUTES
      if (late > MAX_LATE + MAX_EARLY) say(`posted at another hour of ${made.zone}, ${post.at.toISOString()}`)
      const stopped = this.#stopped.get(schedule)
      if (stopped !== undefined && post.at.getTime() > stopped.wall + MAX_EARLY * MINUTE_MS) say('posted after a stop')
    }
  }

  #judgeTerms({ kind, requester, amount }: ScheduledPost, made: MadeSchedule, say: (what: string) => void): void {
    // Rain falls on fewer people if fewer are there.
    const isRight = made.what === 'rain' ? amount <= made.amount && amount > 0n : amount === made.amount
    if (kind !== made.what || requester !== made.owner || !isRight)
      say(`of ${made.amount} msats by ${made.owner} gave a ${kind} of ${amount} by ${requester}`)
  }

  /** Checks that each period of a server had one recap, whose days sum to its total. */
  recaps(told: readonly ToldRecap[]): void {
    const periods = told.map(({ guild, period }) => `${guild} ${period}`)
    this.#faults.expect(
      new Set(periods).size === periods.length,
      () => `a period was told twice: ${periods.join(', ')}`,
    )
    for (const { period, amount, days } of told) {
      const sum = days.reduce((all, day) => all + day.amount, 0n)
      this.#faults.expect(sum === amount, () => `the days of ${period} come to ${sum} msats, and it gave ${amount}`)
    }
  }
}

/** Returns the date and the minute of the day in a time zone. */
export function clockIn(timeZone: string, at: Date): { readonly date: string; readonly minuteOfDay: number } {
  const form = { timeZone, hourCycle: 'h23', dateStyle: 'short', timeStyle: 'short' } as const
  const [date = '', time = ''] = new Intl.DateTimeFormat('en-CA', form).format(at).split(', ')
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return { date, minuteOfDay: 60 * hour + minute }
}
