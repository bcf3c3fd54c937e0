import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { createStage, type Stage } from '../world/processes/stage.ts'
import { describeGoals, type Goal } from './describe-goals.ts'
import { ADDED_GOT, addMembers } from './seed-bot.ts'
import { aliceDeposits, cpuMs, mustBeAnswered, peakMemory, prove, report, settled, type Timing } from './timings.ts'

const PEOPLE = 1_000
const AT_REST = 100
const LONG_AGO = Date.UTC(2020, 0, 1)
/** Everybody's balance before the storm, in sats. Each person gives 1 sat, and gets 1. */
const EACH_HAS = 20
/** The number of mentions that fit one option. */
const A_TIP_FOR = 40
/** Discord's own limit for requests with a bot's token. */
const REQUESTS_PER_SECOND = 50

/**
 * The time after which the bot no longer reports a standstill: it reports the longest of the last one or two minutes.
 */
const STANDSTILL_WINDOWS_MS = 120_000

export interface BotOptions {
  /**
   * How many members have accounts besides the members who tip. If there are any, an operator audits the books in the
   * middle of the storm.
   */
  readonly holders: number
}

/**
 * Measures how quick the bot is on this machine, in its own process between the Discord emulator and the payments
 * service.
 */
export async function benchBot({ holders }: BotOptions): Promise<void> {
  const stage = await createStage({ requestsPerSecond: REQUESTS_PER_SECOND, operatorsHome: holders > 0 })
  try {
    const people = populate(stage)
    await stage.service.start()
    await stage.bot.start()
    await fund(stage, people, holders)
    if (holders > 0) await addHolders(stage, holders)
    const atRest = await oneByOne(stage, people)
    report('at rest, one tip after another', atRest)
    const startedMs = performance.now()
    const idleCpuMs = cpuMs(stage.bot.pid)
    const [timings, auditMs] = await Promise.all([atOnce(stage, people), holders > 0 ? auditMidway(stage) : undefined])
    report(`a storm of ${people.length.toLocaleString('en')} tips at once`, timings)
    const perSecond = people.length / ((Math.max(...timings.map(({ answeredMs }) => answeredMs)) || 1) / 1_000)
    console.log(`${'tips a second'.padEnd(34)} ${perSecond.toFixed(0)}`)
    console.log(`${'resident memory, at its highest'.padEnd(34)} ${peakMemory(stage.bot.pid)}`)
    if (holders > 0) await reportAudit(stage, timings, auditMs)
    await settled(stage)
    const cpu = ((cpuMs(stage.bot.pid) - idleCpuMs) / people.length).toFixed(1)
    console.log(`${'processor time of the bot'.padEnd(34)} ${cpu} ms a tip, from the command to the last word about it`)
    await prove(stage, [...atRest, ...timings])
    console.log(
      `${'storm until all is shown and proven'.padEnd(34)} ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`,
    )
  } finally {
    await stage.close()
  }
}

function populate({ emulator, seeded }: Stage): string[] {
  return Array.from({ length: PEOPLE }, (_, index) => {
    const { id } = emulator.world.createPerson({ username: `member${index}`, createdAt: LONG_AGO })
    emulator.world.addMember(seeded.serverId, id)
    return id
  })
}

/** Lets everybody use the bot once. alice then gives everybody her deposit, except the part for the other holders. */
async function fund(stage: Stage, people: readonly string[], holders: number): Promise<void> {
  const { emulator, seeded } = stage
  const alice = emulator.as(seeded.people.alice)
  await aliceDeposits(stage, PEOPLE * EACH_HAS + Math.ceil((holders * ADDED_GOT) / 1_000))
  for (const group of groups(people)) {
    await Promise.all(group.map((id) => mustBeAnswered(emulator.as(id).run(seeded.channels.general, 'balance'))))
  }
  for (const [to, ...others] of groups(people)) {
    const also = others.map((id) => `<@${id}>`).join(' ')
    await mustBeAnswered(alice.run(seeded.channels.general, 'tip', { to: to ?? '', amount: String(EACH_HAS), also }))
  }
  await settled(stage)
}

/** Adds members with ten entries each, and waits until no figure includes the bot's start. */
async function addHolders({ bot, botFile, seeded }: Stage, holders: number): Promise<void> {
  await bot.stop()
  addMembers(botFile, holders, seeded.people.alice)
  await bot.start()
  await pause(STANDSTILL_WINDOWS_MS)
}

/**
 * Lets an operator audit the books once the storm has begun. Resolves to the audit's duration, or undefined if the bot
 * was too slow for Discord.
 */
async function auditMidway({ emulator, seeded }: Stage): Promise<number | undefined> {
  await new Promise<void>((begun) => {
    const stop = emulator.subscribe(() => {
      stop()
      begun()
    })
  })
  const startedMs = performance.now()
  const handle = emulator.as(seeded.people.owner).run(seeded.channels.mods, 'admin audit')
  if ((await handle.answered()).failure !== null) return undefined
  const said = JSON.stringify(handle.messages())
  if (!said.includes('The books are right')) throw new Error(`the audit does not hold: ${said}`)
  return performance.now() - startedMs
}

async function reportAudit(stage: Stage, timings: readonly Timing[], auditMs: number | undefined): Promise<void> {
  const took = auditMs === undefined ? 'NOT ACKNOWLEDGED WITHIN 3 SECONDS' : `${(auditMs / 1_000).toFixed(1)} s`
  console.log(`${'audit in the middle of the storm'.padEnd(34)} ${took}`)
  const metrics = await (await fetch(`${stage.botUrl}/metrics`)).text()
  const [, standstill] = /^satchel_standstill_seconds (\S+)$/m.exec(metrics) ?? []
  const acknowledged = timings.map(({ acknowledgedMs }) => acknowledgedMs).toSorted((one, other) => one - other)
  const p99 = acknowledged[Math.ceil(acknowledged.length * 0.99) - 1] ?? Number.NaN
  const goals: Goal[] = [
    { what: 'bot: acknowledged while it audits, p99 in s', measured: p99 / 1_000, goal: { maximum: 0.5 } },
    { what: 'bot: longest standstill of the storm, s', measured: Number(standstill), goal: { maximum: 0.05 } },
  ]
  for (const line of describeGoals(goals)) console.log(line)
  console.log(`${'load of the machine'.padEnd(34)} ${loadavg()[0]?.toFixed(1)}`)
}

function groups(people: readonly string[]): string[][] {
  return Array.from({ length: people.length / A_TIP_FOR }, (_, at) =>
    people.slice(at * A_TIP_FOR, (at + 1) * A_TIP_FOR),
  )
}

async function oneByOne(stage: Stage, people: readonly string[]): Promise<Timing[]> {
  const timings: Timing[] = []
  for (let at = 0; at < AT_REST; at += 1) timings.push(await tip(stage, people, at))
  return timings
}

function atOnce(stage: Stage, people: readonly string[]): Promise<Timing[]> {
  return Promise.all(people.map((_, at) => tip(stage, people, at)))
}

/** Lets the person at place `at` tip the next person. */
async function tip({ emulator, seeded }: Stage, people: readonly string[], at: number): Promise<Timing> {
  const [from = '', to = ''] = [people[at], people[(at + 1) % people.length]]
  const startedMs = performance.now()
  const handle = emulator.as(from).run(seeded.channels.tips, 'tip', { to, amount: '1' })
  await handle.acknowledged()
  const acknowledgedMs = performance.now() - startedMs
  const { failure } = await handle.answered()
  return { from, acknowledgedMs, answeredMs: performance.now() - startedMs, failed: failure !== null }
}
