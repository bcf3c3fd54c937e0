import { setTimeout as pause } from 'node:timers/promises'
import type { Crowd } from '../../src/discord-emulator/world/crowd.ts'
import { createStage, type Stage } from '../world/processes/stage.ts'
import {
  aliceDeposits,
  cpuMs,
  memory,
  mustBeAnswered,
  peakMemory,
  prove,
  report,
  settled,
  type Timing,
} from './timings.ts'

export interface CrowdOptions {
  readonly servers: number
  /** The number of people in all servers together. */
  readonly members: number
  readonly shards: number
}

const TIPS = 1_000
/** The balance of each giver, in sats. Each gives 1 sat. */
const EACH_HAS = 20
const AT_ONCE_BEFORE = 40
const REQUESTS_PER_SECOND = 50
/**
 * The distance between servers that tip. It is prime to ten, so that these servers are spread over the crowd and the
 * shards.
 */
const EVERY_NTH = 7
const TIPS_AFTER_RESTART = 100
const WATCHED_MS = 30_000
const ABOUT_SERVERS = /^\/(?:guilds\/|users\/@me\/guilds)/

/**
 * Measures the bot with many shards, in servers with many people: in a thousand of them somebody tips at the same
 * moment. The bot has its own process between the Discord emulator and the payments service.
 */
export async function benchScale({ servers, members, shards }: CrowdOptions): Promise<void> {
  const stage = await createStage({ requestsPerSecond: REQUESTS_PER_SECOND, shards })
  try {
    const crowd = stage.emulator.world.addCrowd({ servers, membersOfEach: Math.floor(members / servers) })
    const pairs = Array.from({ length: Math.min(TIPS, servers) }, (_, index) => (index * EVERY_NTH) % servers)
    for (const server of pairs) stage.emulator.world.addMember(crowd.serverId(server), stage.seeded.people.alice)
    await stage.service.start()
    const startedMs = performance.now()
    await stage.bot.start()
    row('servers, members, shards', [servers, members, shards].map((count) => count.toLocaleString('en')).join(', '))
    row('from the start until connected', `${((performance.now() - startedMs) / 1_000).toFixed(1)} s`)
    row('resident memory when connected', memory(stage.bot.pid, 'VmRSS'))
    await fund(stage, crowd, pairs)
    const idleCpuMs = cpuMs(stage.bot.pid)
    const timings = await Promise.all(pairs.map((server) => tip(stage, crowd, server)))
    report(`${timings.length.toLocaleString('en')} tips at once, one in each of as many servers`, timings)
    row('resident memory, at its highest', peakMemory(stage.bot.pid))
    await settled(stage)
    const cpu = ((cpuMs(stage.bot.pid) - idleCpuMs) / timings.length).toFixed(1)
    row('processor time of the bot', `${cpu} ms a tip, from the command to the last word about it`)
    row('people whom the emulator has made', stage.emulator.world.people().length.toLocaleString('en'))
    row('resident memory of the emulator', `${Math.round(process.memoryUsage().rss / 2 ** 20)} MiB`)
    await prove(stage, timings)
    await restart(stage, crowd, pairs)
  } finally {
    await stage.close()
  }
}

/**
 * Starts the service and the bot again after both were stopped. The bot's new process resumes the sessions, in which
 * Discord does not list the servers again. Meanwhile some people tip.
 */
async function restart(stage: Stage, crowd: Crowd, pairs: readonly number[]): Promise<void> {
  await stage.service.start()
  stage.emulator.clearRequests()
  const startedMs = performance.now()
  await stage.bot.start()
  row('from a restart until connected', `${((performance.now() - startedMs) / 1_000).toFixed(1)} s`)
  const some = pairs.slice(0, TIPS_AFTER_RESTART)
  const timings = await Promise.all(some.map((server) => tip(stage, crowd, server)))
  report(`${timings.length} tips right after the restart`, timings)
  await pause(WATCHED_MS)
  const calls = stage.emulator.requests().filter(({ path }) => ABOUT_SERVERS.test(path)).length
  row('calls about servers since then', `${calls} in ${((performance.now() - startedMs) / 1_000).toFixed(0)} s`)
}

const giverOf = (crowd: Crowd, server: number) => crowd.memberId(server, 1)
const receiverOf = (crowd: Crowd, server: number) => crowd.memberId(server, 2)

/** Lets each giver and receiver use the bot once. alice then gives each giver some sats. */
async function fund(stage: Stage, crowd: Crowd, pairs: readonly number[]): Promise<void> {
  const { emulator, seeded } = stage
  await aliceDeposits(stage, pairs.length * EACH_HAS)
  for (let at = 0; at < pairs.length; at += AT_ONCE_BEFORE) {
    const group = pairs.slice(at, at + AT_ONCE_BEFORE)
    const looks = group.flatMap((server) =>
      [giverOf(crowd, server), receiverOf(crowd, server)].map((id) =>
        mustBeAnswered(emulator.as(id).run(crowd.channelId(server), 'balance')),
      ),
    )
    await Promise.all(looks)
    const gifts = group.map((server) => {
      const gift = { to: giverOf(crowd, server), amount: String(EACH_HAS) }
      return mustBeAnswered(emulator.as(seeded.people.alice).run(crowd.channelId(server), 'tip', gift))
    })
    await Promise.all(gifts)
  }
  await settled(stage)
}

async function tip({ emulator }: Stage, crowd: Crowd, server: number): Promise<Timing> {
  const from = giverOf(crowd, server)
  const startedMs = performance.now()
  const handle = emulator.as(from).run(crowd.channelId(server), 'tip', { to: receiverOf(crowd, server), amount: '1' })
  await handle.acknowledged()
  const acknowledgedMs = performance.now() - startedMs
  const { failure } = await handle.answered()
  return { from, acknowledgedMs, answeredMs: performance.now() - startedMs, failed: failure !== null }
}

function row(what: string, said: string): void {
  console.log(`${what.padEnd(34)} ${said}`)
}
