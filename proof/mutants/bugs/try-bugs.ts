import { join } from 'node:path'
import type { Finding } from '../../simulation/run-seed.ts'
import { SeedWorker } from '../../simulation/seed-worker.ts'
import { slowdown } from '../../world/slowdown.ts'
import { CopyOfProject } from '../copies/copy-of-project.ts'
import { faultsOfBugs } from './all-bugs.ts'
import type { KnownBug } from './known-bug.ts'

const WHAT_THE_SIMULATION_NEEDS = ['src', 'proof', 'prisma', 'package.json']
/** A seed takes seconds; one that takes so long on an idle machine never ends. */
const MAX_SEED_MS = 5 * 60_000
const MAX_LETTERS = 150

export interface Trial {
  readonly root: string
  /** A folder with databases as `makeTemplate` makes them. */
  readonly template: string
  readonly bugs: readonly KnownBug[]
  readonly seeds: readonly string[]
  readonly steps: number
  readonly workers: number
}

/**
 * What noticed a bug first: `judge`, whatever compares what people did with what became of it; `product`, nothing but an
 * error of the product's own log or audit; `nothing`; or the simulation broke.
 */
type By = 'judge' | 'product' | 'nothing' | 'broken'

interface Outcome {
  readonly by: By
  readonly seed: string
  readonly step: number
  readonly what: string
  /** What else struck in the worlds of its seeds. */
  readonly faults?: readonly string[]
}

/** Tries the bugs one at a time, a copy of the project for each worker. Resolves to the exit code. */
export async function tryBugs(trial: Trial): Promise<number> {
  const faults = faultsOfBugs(trial.root)
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) return 1
  const outcomes = await throughAll(trial)
  const failing = await throughSeedsWithout(trial, outcomes)
  const count = (by: By) => outcomes.filter((outcome) => outcome.by === by).length
  console.log(
    `${count('judge') + count('product')} of ${outcomes.length} bugs are noticed: ${count('judge')} by the simulation's own judge, ` +
      `${count('product')} by the product's own log or audit alone; ${Math.round(performance.now() / 1_000)} s`,
  )
  console.log(
    failing.length === 0
      ? `Without a bug, nothing is wrong with the same seeds: ${[...new Set(outcomes.map(({ seed }) => seed))].join(', ')}.`
      : `Without a bug:\n${failing.join('\n')}`,
  )
  return failing.length > 0 || count('nothing') > 0 || count('broken') > 0 ? 1 : 0
}

async function throughAll({ root, bugs, ...trial }: Trial): Promise<Outcome[]> {
  const waiting = [...bugs]
  const outcomes: Outcome[] = []
  const work = async () => {
    const copy = new CopyOfProject(root, WHAT_THE_SIMULATION_NEEDS)
    try {
      for (let bug = waiting.shift(); bug !== undefined; bug = waiting.shift()) {
        const outcome = await copy.during(bug.places, () => throughSeeds(copy.folder, trial, bug.faults))
        outcomes.push({ ...outcome, ...(bug.faults && { faults: bug.faults }) })
        console.log(
          `${String(outcomes.length).padStart(3)} of ${bugs.length}  ${bug.id}: ${bug.does}\n${shown(outcome)}`,
        )
      }
    } finally {
      copy.remove()
    }
  }
  await Promise.all(Array.from({ length: Math.min(trial.workers, bugs.length) }, work))
  return outcomes
}

/** Lives through seeds until the judge notices something; what the product complained of meanwhile counts if it does not. */
async function throughSeeds(
  folder: string,
  trial: Omit<Trial, 'root' | 'bugs'>,
  faults?: readonly string[],
): Promise<Outcome> {
  const worker = workerIn(folder, trial, ['--note-complaints', ...withFaults(faults)])
  let complaint: Outcome | undefined
  let last = ''
  try {
    for (last of trial.seeds) {
      const { failure, complaint: heard } = await limited(worker, last)
      if (failure !== undefined) return { by: 'judge', seed: last, ...inALine(failure) }
      if (heard !== undefined) complaint ??= { by: 'product', seed: last, ...inALine(heard) }
    }
    return complaint ?? { by: 'nothing', seed: last, step: trial.steps, what: 'NOT NOTICED' }
  } catch (error) {
    return { by: 'broken', seed: last, step: 0, what: error instanceof Error ? error.message : String(error) }
  } finally {
    worker.kill()
  }
}

/** The same seeds, with the same faults, and the code as it is: what is wrong there is no bug of ours. */
async function throughSeedsWithout(trial: Trial, outcomes: readonly Outcome[]): Promise<string[]> {
  const worlds = new Map(outcomes.map((outcome) => [[outcome.seed, ...(outcome.faults ?? [])].join(), outcome]))
  const waiting = [...worlds.values()]
  const failing: string[] = []
  const work = async () => {
    for (let world = waiting.shift(); world !== undefined; world = waiting.shift()) {
      const { seed, faults } = world
      const worker = workerIn(trial.root, trial, withFaults(faults))
      const { failure } = await limited(worker, seed)
      if (failure !== undefined) failing.push(shown({ by: 'judge', seed, ...inALine(failure) }))
      worker.close()
    }
  }
  await Promise.all(Array.from({ length: Math.min(trial.workers, waiting.length) }, work))
  return failing
}

function withFaults(faults: readonly string[] | undefined): string[] {
  return faults === undefined ? [] : ['--faults', faults.join(',')]
}

function workerIn(folder: string, { template, steps }: Pick<Trial, 'template' | 'steps'>, args: readonly string[]) {
  return new SeedWorker(join(folder, 'proof/simulation/simulate.ts'), template, ['--steps', String(steps), ...args])
}

async function limited(worker: SeedWorker, seed: string) {
  const timer = setTimeout(() => worker.kill(), MAX_SEED_MS * slowdown())
  try {
    return await worker.live(seed, () => undefined)
  } finally {
    clearTimeout(timer)
  }
}

function inALine({ step, what }: Finding): { readonly step: number; readonly what: string } {
  const line = what.join(' | ').split('\n')[0] ?? ''
  return { step, what: line.length > MAX_LETTERS ? `${line.slice(0, MAX_LETTERS)}…` : line }
}

const BY: Readonly<Record<By, string>> = {
  judge: 'noticed',
  product: 'noticed by the product alone',
  nothing: 'by nothing',
  broken: 'BROKEN',
}

function shown({ by, seed, step, what }: Outcome): string {
  return `            ${BY[by]}, seed ${seed}, step ${step}: ${what}`
}
