import type { Msats } from '../../lib/money/amount.ts'
import type { RainedOn } from '../rain/rain.ts'

/** A server may have so many schedules that go on. */
export const MAX_SCHEDULES = 10
/** Nothing is repeated without an end. */
export const MAX_TIMES = 52
export const SCHEDULED = ['drop', 'rain', 'giveaway'] as const
export type Scheduled = (typeof SCHEDULED)[number]

/** Drops, rain and giveaways from the pool, repeated so many times by the clock of the server, in the place of the moderator who set them up. */
export interface Schedules {
  create(command: CreateSchedule): Promise<ScheduleView>
  /** The server's own, newest first. */
  list(guild: string): Promise<readonly ScheduleView[]>
  view(id: string): Promise<ScheduleView>
  stop(command: ScheduleDecision): Promise<ScheduleView>
  /**
   * Posts due ones, once each, and tells owners of a pool that will not suffice in two days. Called every few seconds.
   */
  runDue(discord: ScheduleHelp): Promise<void>
}

export interface CreateSchedule {
  readonly guild: string
  readonly channel: string
  readonly member: string
  readonly what: Scheduled
  /** Of each time, for everybody together, as typed. */
  readonly amount: string
  readonly people: number
  readonly minutes: number
  readonly reason: string
  /** 1: Monday; null: every day. */
  readonly weekday: number | null
  /** As typed: `18:00`. */
  readonly time: string
  readonly times: number
  /** Becomes the server's. Default: the server's. */
  readonly zone?: string | undefined
  /** The command's, so it makes one schedule for any number of deliveries. */
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
  /** How many are over, including skipped ones. */
  readonly done: number
  readonly nextAt: Date | undefined
  readonly state: 'on' | 'done' | 'stopped'
  /** Undefined if its owner may not spend any more. */
  readonly stoppedBy: string | undefined
  /** Why the last time was left out. */
  readonly trouble: string | undefined
  /** The pool's balance, and the sum that all schedules of the server take until then, this one included. */
  readonly pool: { readonly available: Msats; readonly needed: Msats }
}

/** Facts that only Discord knows. */
export interface ScheduleHelp {
  /** The roles of a moderator there; undefined if the member may not spend any more. */
  readonly moderator: (guild: string, member: string) => Promise<readonly string[] | undefined>
  readonly person: (guild: string, member: string) => Promise<RainedOn | undefined>
  /** BCP 47. */
  readonly localeOf: (guild: string) => string
}
