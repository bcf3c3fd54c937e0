import type { Client } from 'discord.js'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import { startWorker, type Worker } from '../../lib/worker.ts'
import { type PeopleOptions, peopleOfServers } from '../rules/people-of-servers.ts'

export interface ScheduleOptions extends PeopleOptions {
  readonly clock: Clock
  readonly log: Logger
  /** Whether schedules may run, which requires that the gateway reports members' rights. */
  readonly mayRun: () => boolean
}

/** The interval between checks of the schedules, and so the longest delay of a post. */
const PAUSE_MS = 10_000

/** Makes tipping run the due schedules, with facts about people that only Discord knows. */
export function runSchedules(client: Client, options: ScheduleOptions): Worker {
  const { tipping, clock, log, mayRun } = options
  const help = peopleOfServers(client, options)
  const failed = (err: unknown) => log.warn({ err }, 'schedules could not be followed; it is tried again')
  const round = async () => (mayRun() ? await tipping.schedules.runDue(help) : undefined)
  return startWorker({ clock, round, pauseMs: PAUSE_MS, failed })
}
