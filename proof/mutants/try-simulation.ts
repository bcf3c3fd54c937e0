import { join } from 'node:path'
import type { Finding } from '../simulation/run-seed.ts'
import { SeedWorker } from '../simulation/seed-worker.ts'
import { withTemplate } from '../simulation/template.ts'
import { slowdown } from '../world/slowdown.ts'
import { CopyOfProject } from './copy-of-project.ts'
import type { Mutant } from './mutant.ts'

const WHAT_THE_SIMULATION_NEEDS = ['src', 'clients', 'proof', 'prisma', 'test/support', 'package.json']
/** The time limit of a seed: a seed takes seconds, and on an idle machine, a seed that takes this long never ends. */
const MAX_SEED_MS = 5 * 60_000
const MAX_LETTERS = 150

export interface Trial {
  readonly root: string
  readonly mutants: readonly Mutant[]
  /** Whether the books of the worlds are on a PostgreSQL server. */
  readonly onServer: boolean
  /** The first seed, the maximum number of seeds, and the steps of each. */
  readonly seed: number
  readonly seeds: number
  readonly steps: number
  /** The number of mutants that are tried simultaneously. */
  readonly jobs: number
}

/** The worlds of a trial. */
interface Worlds {
  readonly root: string
  /** The databases that `makeTemplate` made. */
  readonly template: string
  readonly seeds: readonly string[]
  readonly steps: number
  readonly jobs: number
}

/**
 * The first check that noticed a mutant: `judge`, the comparison of people's actions with the results; `product`, an
 * error in the product's own log or audit; `nothing`; or `broken` if the simulation itself failed.
 */
type By = 'judge' | 'product' | 'nothing' | 'broken'

interface Outcome {
  readonly by: By
  readonly seed: string
  readonly step: number
  readonly what: string
  /** The names of the faults that struck in the worlds. */
  readonly faults: readonly string[]
}

/**
 * Makes mutants, one at a time in each job's copy of the project, and plays their worlds until a check notices the
 * mutant. Resolves to 1 unless each mutant is noticed and the same worlds have no fault without mutants.
 */
export async function trySimulation(trial: Trial): Promise<number> {
  return await withTemplate(trial.onServer, async (template) => {
    const seeds = Array.from({ length: trial.seeds }, (_, n) => String(trial.seed + n))
    const worlds = { root: trial.root, template, seeds, steps: trial.steps, jobs: trial.jobs }
    const outcomes = await throughAll(trial.mutants, worlds)
    const failing = await throughSeedsWithout(worlds, outcomes)
    const count = (by: By) => outcomes.filter((outcome) => outcome.by === by).length
    console.log(
      `${count('judge') + count('product')} of ${outcomes.length} mutants are noticed: ${count('judge')} by the simulation's own judge, ` +
        `${count('product')} by the product's own log or audit alone; ${Math.round(performance.now() / 1_000)} s`,
    )
    console.log(
      failing.length === 0
        ? `Without a mutant, nothing is wrong with the same seeds: ${[...new Set(outcomes.map(({ seed }) => seed))].join(', ')}.`
        : `Without a mutant:\n${failing.join('\n')}`,
    )
    return failing.length > 0 || count('nothing') > 0 || count('broken') > 0 ? 1 : 0
  })
}

async function throughAll(mutants: readonly Mutant[], worlds: Worlds): Promise<Outcome[]> {
  const waiting = [...mutants]
  const outcomes: Outcome[] = []
  const work = async () => {
    const copy = new CopyOfProject(worlds.root, WHAT_THE_SIMULATION_NEEDS)
    try {
      for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
        const { id, does, changes, simulation } = mutant
        const faults = simulation?.faults ?? []
        const outcome = await copy.during(changes, () => throughSeeds(copy.folder, worlds, faults))
        outcomes.push({ ...outcome, faults })
        console.log(`${String(outcomes.length).padStart(3)} of ${mutants.length}  ${id}: ${does}\n${shown(outcome)}`)
      }
    } finally {
      copy.remove()
    }
  }
  await Promise.all(Array.from({ length: Math.min(worlds.jobs, mutants.length) }, work))
  return outcomes
}

/** Plays seeds until the judge notices a fault. If it never does, the product's own complaints count. */
async function throughSeeds(folder: string, worlds: Worlds, faults: readonly string[]): Promise<Outcome> {
  const worker = workerIn(folder, worlds, ['--note-complaints', ...withFaults(faults)])
  let complaint: Outcome | undefined
  let last = ''
  try {
    for (last of worlds.seeds) {
      const { failure, complaint: heard } = await limited(worker, last)
      if (failure !== undefined) return { by: 'judge', seed: last, faults, ...inALine(failure) }
      if (heard !== undefined) complaint ??= { by: 'product', seed: last, faults, ...inALine(heard) }
    }
    return complaint ?? { by: 'nothing', seed: last, step: worlds.steps, what: 'NOT NOTICED', faults }
  } catch (error) {
    return { by: 'broken', seed: last, step: 0, what: error instanceof Error ? error.message : String(error), faults }
  } finally {
    worker.kill()
  }
}

/**
 * Plays the seeds that noticed mutants again, with the same faults and the unchanged code: a failure there is not the
 * mutant's.
 */
async function throughSeedsWithout(worlds: Worlds, outcomes: readonly Outcome[]): Promise<string[]> {
  const lived = new Map(outcomes.map((outcome) => [[outcome.seed, ...outcome.faults].join(), outcome]))
  const waiting = [...lived.values()]
  const failing: string[] = []
  const work = async () => {
    for (let world = waiting.shift(); world !== undefined; world = waiting.shift()) {
      const { seed, faults } = world
      const worker = workerIn(worlds.root, worlds, withFaults(faults))
      const { failure } = await limited(worker, seed)
      if (failure !== undefined) failing.push(shown({ by: 'judge', seed, ...inALine(failure), faults }))
      worker.close()
    }
  }
  await Promise.all(Array.from({ length: Math.min(worlds.jobs, waiting.length) }, work))
  return failing
}

function withFaults(faults: readonly string[]): string[] {
  return faults.length === 0 ? [] : ['--faults', faults.join(',')]
}

function workerIn(folder: string, { template, steps }: Pick<Worlds, 'template' | 'steps'>, args: readonly string[]) {
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
