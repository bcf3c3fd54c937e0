import { createHash } from 'node:crypto'

/**
 * A plugin for StrykerJS that lets only a random sample of the mutants run. It is a "checker": what it does not pass is
 * reported as a compile error, which Stryker leaves out of every score. MUTATE_SAMPLE is the sample's size, MUTATE_SEED
 * decides which mutants it holds; the same code and seed give the same sample.
 */

/** Where Stryker finds the plugin. */
export const SAMPLE_PLUGIN = import.meta.filename

interface Mutant {
  readonly id: string
  readonly fileName: string
  readonly mutatorName: string
  readonly replacement: string
  readonly location: { readonly start: Place; readonly end: Place }
}

interface Place {
  readonly line: number
  readonly column: number
}

type Verdict = { readonly status: 'passed' } | { readonly status: 'compileError'; readonly reason: string }

/**
 * Cuts the mutants, in the order in which they stand in the code, into as many equal stretches as the sample is large
 * and draws one from each: every mutant is as likely as any other, and no file is left out by chance.
 */
export function drawSample<T extends Mutant>(mutants: readonly T[], size: number, seed: string): T[] {
  const inOrder = mutants.toSorted(
    (one, other) =>
      one.fileName.localeCompare(other.fileName) ||
      one.location.start.line - other.location.start.line ||
      one.location.start.column - other.location.start.column ||
      nameOf(one).localeCompare(nameOf(other)),
  )
  if (size >= inOrder.length) return inOrder
  return Array.from({ length: size }, (_, stretch) => {
    const from = Math.floor((stretch * inOrder.length) / size)
    const to = Math.floor(((stretch + 1) * inOrder.length) / size)
    const drawn = inOrder.slice(from, to).toSorted((one, other) => lot(one, seed) - lot(other, seed))[0]
    if (drawn === undefined) throw new RangeError(`a sample of ${size} has an empty stretch`)
    return drawn
  })
}

/** What makes a mutant's lot: not its number nor its folder, which change from run to run. */
function nameOf({ fileName, mutatorName, replacement, location: { start, end } }: Mutant): string {
  const file = fileName.replace(/^.*?(?=src\/)/, '')
  return [file, start.line, start.column, end.line, end.column, mutatorName, replacement].join('\n')
}

function lot(mutant: Mutant, seed: string): number {
  return createHash('sha256')
    .update(`${seed}\n${nameOf(mutant)}`)
    .digest()
    .readUIntBE(0, 6)
}

class SampleChecker {
  readonly #drawn = new Set<string>()

  async init(): Promise<void> {}

  /** Stryker hands over all mutants at once here, before it has any of them checked. */
  async group(mutants: readonly Mutant[]): Promise<string[][]> {
    const size = Number(process.env.MUTATE_SAMPLE)
    for (const { id } of drawSample(mutants, size, process.env.MUTATE_SEED ?? '')) this.#drawn.add(id)
    return [mutants.map(({ id }) => id)]
  }

  async check(mutants: readonly Mutant[]): Promise<Record<string, Verdict>> {
    return Object.fromEntries(mutants.map(({ id }) => [id, this.#verdict(id)]))
  }

  #verdict(id: string): Verdict {
    return this.#drawn.has(id) ? { status: 'passed' } : { status: 'compileError', reason: 'not in the sample' }
  }
}

/** What Stryker looks for in a plugin. */
export const strykerPlugins = [{ kind: 'Checker', name: 'sample', injectableClass: SampleChecker }]
