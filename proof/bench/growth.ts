import { fork } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeGoals, type Goal } from './describe-goals.ts'
import type { Cost } from './growth-worker.ts'
import { seedBot } from './seed-bot.ts'

export interface GrowthOptions {
  /** The numbers of members of the books, the smallest first. */
  readonly sizes: readonly number[]
  /** A folder that keeps the books for the next run; without it, each run creates them. */
  readonly keep: string | undefined
}

const MIB = 1_048_576
/** The goal for the longest time in which the bot answers nobody. */
const MAX_STANDSTILL_MS = 50

/**
 * Measures each operation's cost as the bot's book grows. Each member of the book has ten entries. Each size is
 * measured in its own process, and each figure is shown as a multiple of the smallest book's.
 */
export async function benchGrowth({ sizes, keep }: GrowthOptions): Promise<void> {
  const folder = keep ?? mkdtempSync(join(tmpdir(), 'satchel-growth-'))
  mkdirSync(folder, { recursive: true })
  try {
    const all = new Map<number, readonly Cost[]>()
    for (const members of sizes) {
      const file = join(folder, `bot-${members}.sqlite`)
      await seedBot(file, members)
      const size = (statSync(file).size / MIB).toFixed(1)
      console.log(
        `${members.toLocaleString('en')} members, ${(10 * members).toLocaleString('en')} entries, ${size} MiB; load ${loadavg()[0]?.toFixed(1)}`,
      )
      all.set(members, await measure(file, members))
    }
    tell(all)
  } finally {
    if (keep === undefined) rmSync(folder, { recursive: true, force: true })
  }
}

/** Measures a copy of a book, so that the next run finds the original book. */
async function measure(file: string, members: number): Promise<readonly Cost[]> {
  const copy = `${file}.measured`
  for (const rest of ['', '-wal', '-shm']) rmSync(`${copy}${rest}`, { force: true })
  copyFileSync(file, copy)
  const child = fork(join(import.meta.dirname, 'growth-worker.ts'), [copy, String(members)], {
    execArgv: ['--max-semi-space-size=16'],
  })
  try {
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`the measuring process ended with ${code}`)
    })
    const [costs] = (await Promise.race([once(child, 'message'), ended])) as [readonly Cost[]]
    ended.catch(() => undefined)
    return costs
  } finally {
    if (child.connected) child.disconnect()
    for (const rest of ['', '-wal', '-shm']) rmSync(`${copy}${rest}`, { force: true })
  }
}

function tell(all: ReadonlyMap<number, readonly Cost[]>): void {
  const [smallest = []] = all.values()
  for (const [members, costs] of all) {
    console.log(
      `\n${members.toLocaleString('en')} members${' '.repeat(15)} ms   ÷ smallest   processor time   longest standstill   longest turn   resident`,
    )
    for (const { what, ms, cpuMs, standstillMs, turnMs, residentMiB } of costs) {
      const least = smallest.find((cost) => cost.what === what)?.ms ?? Number.NaN
      const figures = [ms.toFixed(2).padStart(10), (ms / least).toFixed(2).padStart(12)]
      console.log(
        `${what.padEnd(22)}${figures.join('')}${cpuMs.toFixed(1).padStart(14)} ms${standstillMs.toFixed(0).padStart(18)} ms${turnMs.toFixed(0).padStart(12)} ms${residentMiB.toFixed(0).padStart(7)} MiB`,
      )
    }
  }
  const goals = [...all].map(([members, costs]): Goal => {
    // Nobody is answered before a start, and a backup has its own process.
    const meanwhile = costs.filter(({ what }) => what !== 'start' && what !== 'backup').map(({ turnMs }) => turnMs)
    const what = `longest turn with ${members.toLocaleString('en')} members, ms of processor time`
    return { what, measured: Math.max(...meanwhile), goal: { maximum: MAX_STANDSTILL_MS } }
  })
  console.log()
  for (const line of describeGoals(goals)) console.log(line)
}
