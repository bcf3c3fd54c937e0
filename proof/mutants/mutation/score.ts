import { type Explained, explains } from './explained.ts'
import { fileOf, type ShownMutant, showMutant } from './mutant.ts'
import { type RecordedRun, wasNoticed } from './record.ts'

/** What became of a part's mutants. */
export interface Score {
  /** Mutants of the part in all; more than were tried if a sample was drawn or the time ran out. */
  readonly all: number
  readonly tried: number
  readonly noticed: number
  /** Of the noticed: with how many a test waited for what never came. */
  readonly hung: number
  /** Of the noticed: with how many tests ran out of time, so that a busy machine may have been the reason. */
  readonly late: number
  /** Survivors of which a person wrote down why no test can or need notice them. */
  readonly explained: number
  readonly survivors: readonly ShownMutant[]
}

/** Counts a record. `sources` are the files as they were when it began. */
export function readScore(
  { all, statuses }: RecordedRun,
  sources: ReadonlyMap<string, string>,
  explanations: readonly Explained[],
): Score {
  const survived = [...statuses].filter(([, status]) => status === 'Survived' || status === 'NoCoverage')
  const shown = survived.map(([name]) => showMutant(name, sources.get(fileOf(name)) ?? ''))
  const survivors = shown.filter((mutant) => !explanations.some((each) => explains(each, mutant)))
  const countOf = (status: string) => [...statuses.values()].filter((each) => each === status).length
  const noticed = [...statuses.values()].filter(wasNoticed).length
  // What Stryker was told to leave alone is not one of them.
  const ignored = statuses.size - noticed - survived.length
  return {
    all: all.length - ignored,
    tried: noticed + survived.length,
    noticed,
    hung: countOf('Hung'),
    late: countOf('Timeout'),
    explained: shown.length - survivors.length,
    survivors,
  }
}

/** What was noticed or is explained, of what was tried. Where nothing was, nothing was noticed. */
export function percentOf({ noticed, explained, tried }: Score): number {
  return tried === 0 ? 0 : (100 * (noticed + explained)) / tried
}

/** In a sentence; for a sample with the range in which the whole's score lies, 95 times of 100. */
export function describeScore(score: Score, isSample: boolean): string {
  const { noticed, hung, late, explained, tried, all } = score
  if (tried === 0) return `none of ${all} mutants was tried`
  const also = explained === 0 ? '' : ` and ${explained} are explained`
  const waits = hung === 0 ? [] : [`with ${hung} a test waits forever`]
  if (late > 0) waits.push(`with ${late} tests ran out of time`)
  const slowly = waits.length === 0 ? '' : ` (${waits.join(', ')})`
  const sentence = `${noticed} of ${tried} mutants were noticed${slowly}${also}: ${percentOf(score).toFixed(1)} %`
  if (tried >= all) return sentence
  if (!isSample) return `${sentence}; ${all - tried} of ${all} are still to be tried (--resume)`
  const [low, high] = wilson(percentOf(score) / 100, tried).map((share) => (100 * share).toFixed(1))
  return `${sentence} of a sample; of all ${all} it is between ${low} % and ${high} % (95 % confidence)`
}

/** Wilson's interval of a share that was seen in a sample, without counting that the whole is finite. */
function wilson(share: number, size: number): [number, number] {
  const z = 1.96
  const centre = (share + z ** 2 / (2 * size)) / (1 + z ** 2 / size)
  const spread = (z / (1 + z ** 2 / size)) * Math.sqrt((share * (1 - share)) / size + z ** 2 / (4 * size ** 2))
  return [centre - spread, Math.min(centre + spread, 1)]
}
