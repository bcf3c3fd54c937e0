import { parseAmountText } from '../../src/lib/money/amount-text.ts'

/** Amounts that a person would type as these texts show them, and that cannot be read. */
export function unreadableExamples(texts: readonly string[]): string[] {
  const examples = texts.flatMap((text) => text.match(/\d(?:[\d.,]*\d)?(?:k| btc)?/g) ?? [])
  return examples.filter((example) => parseAmountText(example).kind !== 'msats')
}

/** The sentences, in any language, whose English ones show how an amount is typed. */
export function withExamples(sentences: object, english: object): string[] {
  const all = flat(sentences)
  return [...flat(english)].flatMap(([key, text]) => (text.includes('2.5k') ? (all.get(key) ?? []) : []))
}

function flat(sentences: object, path = ''): Map<string, string> {
  const entries = Object.entries(sentences).flatMap(([name, value]): (readonly [string, string])[] =>
    typeof value === 'string' ? [[path + name, value]] : [...flat(value as object, `${path + name}.`)],
  )
  return new Map(entries)
}
