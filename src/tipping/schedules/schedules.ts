import type { Msats } from '../../lib/money/amount.ts'
import type { RainedOn } from '../rain/rain.ts'

/** The most active schedules of one server. */
export const MAX_SCHEDULES = 10
/** The most runs of one schedule, because no schedule may continue without an end. */
export const MAX_TIMES = 52
export const SCHEDULED = ['drop', 'rain', 'giveaway'] as const
export type Scheduled = (typeof SCHEDULED)[number]

/**
 * Schedules, which post drops, rain and giveaways from the pool for the moderators who created them, a given number of
 * times, according to the server's clock.
 */
export interface Schedules {
  create(command: CreateSchedule): Promise<ScheduleView>
  /** Returns the server's schedules, newest first. */
  list(guild: string): Promise<readonly ScheduleView[]>
  view(id: string): Promise<ScheduleView>
  stop(command: ScheduleDecision): Promise<ScheduleView>
  /**
   * Posts due runs, once each, and tells owners if the pool will be too small within two days. This method is called
   * every few seconds.
   */
  runDue(discord: ScheduleHelp): Promise<void>
}

export interface CreateSchedule {
  readonly guild: string
  readonly channel: string
  readonly member: string
  readonly what: Scheduled
  /** The amount of each run, for everybody together, as typed. */
  readonly amount: string
  readonly people: number
  readonly minutes: number
  readonly reason: string
  /** The weekday, from 1 for Monday; null for every day. */
  readonly weekday: number | null
  /** The time of day as typed: `18:00`. */
  readonly time: string
  readonly times: number
  /** The time zone, which becomes the server's zone; by default, the server's present zone. */
  readonly zone?: string | undefined
  /**
   * The command's interaction, so that the command creates only one schedule, no matter how often the interaction is
   * delivered.
   */
  readonly interaction: string
}

export interface ScheduleDecision {
  readonly schedule: string
  readonly guild: string
  readonly member: string
}

export interface ScheduleView {
  readonly id: string
  readonly guild: string
  readonly channel: string
  readonly owner: string
  readonly what: Scheduled
  readonly amount: Msats
  readonly people: number
  readonly reason: string
  readonly weekday: number | null
  readonly hour: number
  readonly minute: number
  readonly zone: string
  readonly times: number
  /** The number of finished runs, including skipped ones. */
  readonly done: number
  readonly nextAt: Date | undefined
  readonly state: 'on' | 'done' | 'stopped'
  /**
   * The member who stopped the schedule; undefined if nobody did, or if it was stopped because its owner may no longer
   * spend.
   */
  readonly stoppedBy: string | undefined
  /** The reason why the last run was skipped. */
  readonly trouble: string | undefined
  /**
   * The pool's balance, and the sum that all of the server's schedules, including this one, need until this schedule's
   * next run.
   */
  readonly pool: { readonly available: Msats; readonly needed: Msats }
}

/** Facts that only Discord knows. */
export interface ScheduleHelp {
  /** Returns a moderator's roles in a server; undefined if the member may no longer spend. */
  readonly moderator: (guild: string, member: string) => Promise<readonly string[] | undefined>
  readonly person: (guild: string, member: string) => Promise<RainedOn | undefined>
  /** Returns a server's language as a BCP 47 tag. */
  readonly localeOf: (guild: string) => string
}
