import { type Operation, refusals } from '../../payments-api/payments-api.ts'

/** A target of the search, with its address and the words by which it is found. */
export interface Entry {
  readonly path: string
  readonly title: string
  readonly kind: string
  readonly text: string
}

/**
 * Finds entries that contain all words of a query, the best first: a match in the title counts for more than one in the
 * text. Error codes lead to up to five operations that return them. An empty query finds nothing.
 */
export function search(
  query: string,
  entries: readonly Entry[],
  operations: readonly Operation[],
  pathOf: (family: string) => string,
): Entry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 10)
  if (words.length === 0) return []
  const errors = Object.entries(refusals).flatMap(([code, { meaning }]) =>
    operations
      .filter((operation) => operation.refusals.some((each) => each === code))
      .slice(0, 5)
      .map(({ family, name, summary }) => ({
        path: `${pathOf(family)}#${name}`,
        title: `${code}: ${summary}`,
        kind: 'Error',
        text: meaning,
      })),
  )
  const scored = [...entries, ...errors].map((entry) => ({ entry, score: scoreOf(entry, words) }))
  return scored
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ entry }) => entry)
}

/** Returns how well an entry matches the words; 0 if a word is missing. */
function scoreOf({ title, kind, text }: Entry, words: readonly string[]): number {
  const weights: readonly (readonly [string, number])[] = [
    [title, 4],
    [kind, 2],
    [text, 1],
  ]
  let score = 0
  for (const word of words) {
    const found = weights.find(([where]) => where.toLowerCase().includes(word))
    if (found === undefined) return 0
    score += found[1]
  }
  return score
}
