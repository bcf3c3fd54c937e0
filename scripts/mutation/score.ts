import { readFileSync } from 'node:fs'

/** How many mutants were tried, and how many of them a test noticed. */
export interface Score {
  readonly tried: number
  readonly noticed: number
  /** Mutants of the part in all; more than were tried if a sample was drawn. */
  readonly all: number
}

/** Reads Stryker's report. A mutant that made the tests hang was noticed; one that no test reaches was not. */
export function readScore(report: string): Score {
  interface Report {
    readonly files: Readonly<Record<string, { readonly mutants: readonly { readonly status: string }[] }>>
  }
  const { files } = JSON.parse(readFileSync(report, 'utf8')) as Report
  const states = Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status))
  const count = (...wanted: string[]) => states.filter((status) => wanted.includes(status)).length
  const noticed = count('Killed', 'Timeout')
  return { noticed, tried: noticed + count('Survived', 'NoCoverage'), all: states.length - count('Ignored') }
}

/** Of what was tried. Where nothing was, nothing was noticed. */
export function percentOf({ noticed, tried }: Score): number {
  return tried === 0 ? 0 : (100 * noticed) / tried
}

/** In a sentence; for a sample with the range in which the whole's score lies, 95 times of 100. */
export function describeScore(score: Score): string {
  const { noticed, tried, all } = score
  if (tried === 0) return `none of ${all} mutants was tried`
  const sentence = `${noticed} of ${tried} mutants were noticed: ${percentOf(score).toFixed(1)} %`
  if (tried >= all) return sentence
  const [low, high] = wilson(noticed / tried, tried).map((share) => (100 * share).toFixed(1))
  return `${sentence} of a sample; of all ${all} it is between ${low} % and ${high} % (95 % confidence)`
}

/** Wilson's interval of a share that was seen in a sample, without counting that the whole is finite. */
function wilson(share: number, size: number): [number, number] {
  const z = 1.96
  const centre = (share + z ** 2 / (2 * size)) / (1 + z ** 2 / size)
  const spread = (z / (1 + z ** 2 / size)) * Math.sqrt((share * (1 - share)) / size + z ** 2 / (4 * size ** 2))
  return [centre - spread, Math.min(centre + spread, 1)]
}
