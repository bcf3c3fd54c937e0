import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileOf, type Mutant, nameOf } from './mutant.ts'
import { addNames, addResult, readRecord } from './record.ts'
import { noteAlone, remembers } from './remembering.ts'
import { drawSample } from './sample.ts'
import { NOTHING_HAPPENS } from './waiting.ts'

/**
 * Plugins for StrykerJS. MUTATE_RECORD is the file of results, MUTATE_SAMPLE the size of a random sample, if one is to be
 * drawn, and MUTATE_SEED decides which mutants it holds.
 */

/** Where Stryker finds them. */
export const PLUGINS = import.meta.filename

type Verdict = { readonly status: 'passed' } | { readonly status: 'compileError'; readonly reason: string }

/**
 * Lets only those mutants run that are to be tried: of a sample, and not recorded yet. What a "checker" does not pass is
 * reported as a compile error, which counts for nothing.
 */
export class Chooser {
  async init(): Promise<void> {}

  /** Stryker hands over all mutants at once here, before it has any of them checked: as one group, so that it does so again. */
  async group(mutants: readonly Mutant[]): Promise<string[][]> {
    noteAlone(process.env.MUTATE_RECORD ?? '', idsOfRemembering(mutants))
    return [mutants.map(({ id }) => id)]
  }

  /** Of three jobs and more, Stryker makes several checkers, and another one is asked here than was asked for groups. */
  async check(mutants: readonly Mutant[]): Promise<Record<string, Verdict>> {
    const { MUTATE_RECORD = '', MUTATE_SAMPLE, MUTATE_SEED = '' } = process.env
    const { statuses } = readRecord(MUTATE_RECORD)
    const drawn = MUTATE_SAMPLE === undefined ? mutants : drawSample(mutants, Number(MUTATE_SAMPLE), MUTATE_SEED)
    const chosen = new Set(drawn.filter((mutant) => !statuses.has(nameOf(mutant))).map(({ id }) => id))
    const verdictOf = (id: string): Verdict =>
      chosen.has(id) ? { status: 'passed' } : { status: 'compileError', reason: 'not to be tried' }
    return Object.fromEntries(mutants.map(({ id }) => [id, verdictOf(id)]))
  }
}

const ROOT = join(import.meta.dirname, '../../..')

/** Those in modules that remember something. */
function idsOfRemembering(mutants: readonly Mutant[]): string[] {
  const files = Map.groupBy(mutants, (mutant) => fileOf(nameOf(mutant)))
  const found = [...files].filter(([file]) => remembers(readFileSync(join(ROOT, file), 'utf8')))
  return found.flatMap(([, inFile]) => inFile.map(({ id }) => id))
}

interface Plans {
  readonly mutantPlans: readonly { readonly mutant: Mutant }[]
}

interface Tested {
  readonly id: string
  readonly status: string
  /** What the test said that failed. */
  readonly statusReason?: string
}

/** A test that ran out of time did not say that anything was wrong; one that waits for what never comes did. */
function howKilled(reason: string): 'Killed' | 'Hung' | 'Timeout' {
  if (reason.includes(NOTHING_HAPPENS)) return 'Hung'
  return /(?:Test|Hook) timed out in \d+ms|Timed out in wait/.test(reason) ? 'Timeout' : 'Killed'
}

/** Writes down what becomes of each mutant as soon as it is known. */
class Recorder {
  readonly #path = process.env.MUTATE_RECORD ?? ''
  /** By Stryker's numbers: with a result it counts lines and columns from 1, not from 0. */
  readonly #names = new Map<string, string>()

  onMutationTestingPlanReady({ mutantPlans }: Plans): void {
    for (const { mutant } of mutantPlans) this.#names.set(mutant.id, nameOf(mutant))
    addNames(this.#path, [...this.#names.values()])
  }

  onMutantTested({ id, status, statusReason = '' }: Tested): void {
    const name = this.#names.get(id)
    if (name !== undefined) addResult(this.#path, name, status === 'Killed' ? howKilled(statusReason) : status)
  }
}

/** What Stryker looks for in a plugin. */
export const strykerPlugins = [
  { kind: 'Checker', name: 'chooser', injectableClass: Chooser },
  { kind: 'Reporter', name: 'record', injectableClass: Recorder },
]
