import type { Client } from 'discord.js'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import { startWorker, type Worker } from '../../lib/worker.ts'
import type { Tipping } from '../../tipping/tipping.ts'
import type { GuildMembers } from '../discord/guild-members.ts'
import type { LearnServers } from '../discord/learn-servers.ts'
import { moderatesIn } from '../rules/moderates-in.ts'

export interface ScheduleOptions {
  readonly tipping: Tipping
  readonly members: GuildMembers
  readonly servers: Pick<LearnServers, 'learn'>
  readonly serverLocale: (guild: string | null) => string | undefined
  readonly clock: Clock
  readonly log: Logger
  /** Who may do what in a server is known where the gateway tells of it. */
  readonly mayRun: () => boolean
}

/** Schedules are looked at so often, so that something is posted at most so much late. */
const PAUSE_MS = 10_000

/** Has tipping post what is due, with what only Discord knows of the people. */
export function runSchedules(client: Client, options: ScheduleOptions): Worker {
  const { tipping, members, servers, serverLocale, clock, log, mayRun } = options
  const help = {
    async moderator(guild: string, member: string) {
      await servers.learn(guild)
      const roles = (await members.known(guild, member))?.roles
      return roles !== undefined && (await moderatesIn(guild, member, roles, client, tipping)) ? roles : undefined
    },
    person: (guild: string, member: string) => members.known(guild, member),
    localeOf: (guild: string) => serverLocale(guild) ?? 'en',
  }
  const failed = (err: unknown) => log.warn({ err }, 'schedules could not be followed; it is tried again')
  const round = async () => (mayRun() ? await tipping.schedules.runDue(help) : undefined)
  return startWorker({ clock, round, pauseMs: PAUSE_MS, failed })
}
