import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { InteractionHandle } from '../../src/discord-emulator/people/interaction-handle.ts'
import type { InteractionView } from '../../src/discord-emulator/views.ts'
import { readQr } from '../../src/playground/tour/read-qr.ts'
import { proofAfterStorm } from '../kills/proof.ts'
import { createStage, type Stage } from '../kills/stage.ts'

const PEOPLE = 1_000
const AT_REST = 100
const LONG_AGO = Date.UTC(2020, 0, 1)
/** What everybody has before the storm; each gives 1 sat of it, and gets 1. */
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

interface Timing {
  readonly from: string
  readonly acknowledgedMs: number
  readonly answeredMs: number
  /** Not acknowledged within Discord's three seconds; then nothing may have moved. */
  readonly failed: boolean
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
  const { emulator, seeded, phone } = stage
  const alice = emulator.as(seeded.people.alice)
  const deposit = alice.run(seeded.channels.tips, 'deposit', { amount: String(PEOPLE * EACH_HAS) })
  await mustBeAnswered(deposit)
  const picture = deposit.messages()[0]?.attachments[0]
  if (picture === undefined) throw new Error('the deposit came without its code')
  await phone.pay(readQr(Buffer.from(await (await fetch(picture.url)).arrayBuffer())))
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

async function mustBeAnswered(handle: InteractionHandle): Promise<InteractionView> {
  const view = await handle.answered()
  if (view.failure !== null) throw new Error(`the bot failed: ${view.failure}`)
  return view
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

/** Waits until the channels are quiet: every notification is there, too. */
async function settled({ emulator }: Stage): Promise<void> {
  let lastMs = performance.now()
  const stop = emulator.subscribe(() => {
    lastMs = performance.now()
  })
  while (performance.now() - lastMs < 2_000) await pause(100)
  stop()
}

/** Nothing lost: every tip is on the record once, everybody has what they must, and both books prove. */
async function prove({ bot, service, look }: Stage, timings: readonly Timing[]): Promise<void> {
  await bot.stop()
  await service.stop()
  const evidence = look()
  try {
    const faults = proofAfterStorm(evidence)
    const tips = evidence.botBook.rows<{ sender: string; count: bigint }>(
      'SELECT "sender", count(*) AS count FROM "Tip" WHERE "total" = 1000 GROUP BY "sender"',
    )
    const given = new Map(tips.map(({ sender, count }) => [sender, Number(count)]))
    const wanted = new Map<string, number>()
    for (const { from, failed } of timings) wanted.set(from, (wanted.get(from) ?? 0) + (failed ? 0 : 1))
    for (const [id, expected] of wanted) {
      if ((given.get(id) ?? 0) !== expected) faults.push(`${id} gave ${given.get(id) ?? 0} tips instead of ${expected}`)
    }
    if (faults.length > 0) throw new Error(`the books do not prove:\n${faults.slice(0, 10).join('\n')}`)
    console.log(`${'books'.padEnd(34)} proven; ${sumOf(wanted)} tips on the record, none lost, none twice`)
  } finally {
    evidence.close()
  }
}

function sumOf(counts: ReadonlyMap<string, number>): string {
  return [...counts.values()].reduce((sum, count) => sum + count, 0).toLocaleString('en')
}

function report(what: string, all: readonly Timing[]): void {
  console.log(what)
  const timings = all.filter(({ failed }) => !failed)
  if (timings.length < all.length) {
    console.log(`  NOT ACKNOWLEDGED WITHIN 3 SECONDS: ${all.length - timings.length}`)
    process.exitCode = 1
  }
  line(
    '  acknowledged',
    timings.map(({ acknowledgedMs }) => acknowledgedMs),
  )
  line(
    '  answered',
    timings.map(({ answeredMs }) => answeredMs),
  )
}

function line(what: string, times: readonly number[]): void {
  const sorted = times.toSorted((one, other) => one - other)
  const at = (share: number) => `${(sorted[Math.ceil(sorted.length * share) - 1] ?? 0).toFixed(0).padStart(5)} ms`
  console.log(`${what.padEnd(34)} p50 ${at(0.5)}   p99 ${at(0.99)}   max ${at(1)}`)
}

/** Processor time of a process until now, as Linux counts it in hundredths of a second; NaN elsewhere. */
function cpuMs(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return Number.NaN
  }
}

/** As Linux counts it; elsewhere it is not known. */
function peakMemory(pid: number | undefined): string {
  try {
    const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return `${Math.round(Number(kib) / 1_024)} MiB`
  } catch {
    return 'not known on this system'
  }
}
