import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { InteractionHandle } from '../../src/discord-emulator/people/interaction-handle.ts'
import type { InteractionView } from '../../src/discord-emulator/views.ts'
import { readQr } from '../../src/playground/flows/read-qr.ts'
import { proofAfterStorm } from '../kills/proof.ts'
import type { Stage } from '../world/processes/stage.ts'

/** Shared parts of the bot's measurements. */

export interface Timing {
  readonly from: string
  readonly acknowledgedMs: number
  readonly answeredMs: number
  /** Whether the command was not acknowledged within Discord's three seconds. If it was not, nothing may have moved. */
  readonly failed: boolean
}

export async function mustBeAnswered(handle: InteractionHandle): Promise<InteractionView> {
  const view = await handle.answered()
  if (view.failure !== null) throw new Error(`the bot failed: ${view.failure}`)
  return view
}

/** Waits until the channels are quiet, so that every notification has arrived. */
export async function settled({ emulator }: Stage): Promise<void> {
  let lastMs = performance.now()
  const stop = emulator.subscribe(() => {
    lastMs = performance.now()
  })
  while (performance.now() - lastMs < 2_000) await pause(100)
  stop()
}

/**
 * Checks that nothing is lost: every tip is recorded once, everybody has the right balance, and both books are proven.
 */
export async function prove({ bot, service, look }: Stage, timings: readonly Timing[]): Promise<void> {
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

export function report(what: string, all: readonly Timing[]): void {
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

export function line(what: string, times: readonly number[]): void {
  const sorted = times.toSorted((one, other) => one - other)
  const at = (share: number) => `${(sorted[Math.ceil(sorted.length * share) - 1] ?? 0).toFixed(0).padStart(5)} ms`
  console.log(`${what.padEnd(34)} p50 ${at(0.5)}   p99 ${at(0.99)}   max ${at(1)}`)
}

/** Returns a process's processor time so far, as Linux counts it in hundredths of a second; NaN elsewhere. */
export function cpuMs(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return Number.NaN
  }
}

/** Returns the peak of a process's resident memory. */
export function peakMemory(pid: number | undefined): string {
  return memory(pid, 'VmHWM')
}

/** Returns a process's resident memory, now or at its peak, as Linux counts it; unknown elsewhere. */
export function memory(pid: number | undefined, which: 'VmRSS' | 'VmHWM'): string {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const [, kib] = new RegExp(`^${which}:\\s+(\\d+) kB$`, 'm').exec(status) ?? []
    return `${Math.round(Number(kib) / 1_024)} MiB`
  } catch {
    return 'not known on this system'
  }
}

/** Lets alice deposit some sats, as a person with a phone does. */
export async function aliceDeposits({ emulator, seeded, phone }: Stage, sats: number): Promise<void> {
  const deposit = emulator.as(seeded.people.alice).run(seeded.channels.tips, 'deposit', { amount: String(sats) })
  await mustBeAnswered(deposit)
  const picture = deposit.messages()[0]?.attachments[0]
  if (picture === undefined) throw new Error('the deposit came without its code')
  await phone.pay(readQr(Buffer.from(await (await fetch(picture.url)).arrayBuffer())))
}
