import { createStage, type Stage } from '../world/processes/stage.ts'
import { aliceDeposits, cpuMs, mustBeAnswered, peakMemory, prove, report, settled, type Timing } from './timings.ts'

const PEOPLE = 1_000
const AT_REST = 100
const LONG_AGO = Date.UTC(2020, 0, 1)
/** Balance of everybody before the storm; each gives 1 sat of it, and gets 1. */
const EACH_HAS = 20
/** As many mentions as fit one option. */
const A_TIP_FOR = 40
/** Discord's own limit for what is sent with a bot's token. */
const REQUESTS_PER_SECOND = 50

/** How quick the bot is on this machine, as a process of its own between Discord's emulator and the payments service. */
export async function benchBot(): Promise<void> {
  const stage = await createStage({ requestsPerSecond: REQUESTS_PER_SECOND })
  try {
    const people = populate(stage)
    await stage.service.start()
    await stage.bot.start()
    await fund(stage, people)
    const atRest = await oneByOne(stage, people)
    report('at rest, one tip after another', atRest)
    const startedMs = performance.now()
    const idleCpuMs = cpuMs(stage.bot.pid)
    const timings = await atOnce(stage, people)
    report(`a storm of ${people.length.toLocaleString('en')} tips at once`, timings)
    const perSecond = people.length / ((Math.max(...timings.map(({ answeredMs }) => answeredMs)) || 1) / 1_000)
    console.log(`${'tips a second'.padEnd(34)} ${perSecond.toFixed(0)}`)
    console.log(`${'resident memory, at its highest'.padEnd(34)} ${peakMemory(stage.bot.pid)}`)
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

/** Everybody has used the bot once, and alice gives them all what she has deposited. */
async function fund(stage: Stage, people: readonly string[]): Promise<void> {
  const { emulator, seeded } = stage
  const alice = emulator.as(seeded.people.alice)
  await aliceDeposits(stage, PEOPLE * EACH_HAS)
  for (const group of groups(people)) {
    await Promise.all(group.map((id) => mustBeAnswered(emulator.as(id).run(seeded.channels.general, 'balance'))))
  }
  for (const [to, ...others] of groups(people)) {
    const also = others.map((id) => `<@${id}>`).join(' ')
    await mustBeAnswered(alice.run(seeded.channels.general, 'tip', { to: to ?? '', amount: String(EACH_HAS), also }))
  }
  await settled(stage)
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

/** Everybody tips who comes next. */
async function tip({ emulator, seeded }: Stage, people: readonly string[], at: number): Promise<Timing> {
  const [from = '', to = ''] = [people[at], people[(at + 1) % people.length]]
  const startedMs = performance.now()
  const handle = emulator.as(from).run(seeded.channels.tips, 'tip', { to, amount: '1' })
  await handle.acknowledged()
  const acknowledgedMs = performance.now() - startedMs
  const { failure } = await handle.answered()
  return { from, acknowledgedMs, answeredMs: performance.now() - startedMs, failed: failure !== null }
}
