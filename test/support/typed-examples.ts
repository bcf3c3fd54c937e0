import { parseAmountText } from '../../src/lib/money/amount-text.ts'

/** Returns the sentences whose English versions show how to type an amount, and the faults in their examples. */
export function examplesOf(code: string, sentences: object, english: object): { texts: number; faults: string[] } {
  const [own, model] = [flat(sentences), flat(english)]
  const keys = [...model].flatMap(([key, text]) => (text.includes('2.5k') && own.has(key) ? [key] : []))
  const faults = keys.flatMap((key) => exampleFaults(code, own.get(key) ?? '', model.get(key) ?? ''))
  return { texts: keys.length, faults }
}

/**
 * Returns the faults in a text's examples: those that cannot be read, use another decimal mark than the language's, or
 * are missing.
 */
function exampleFaults(code: string, text: string, model: string): string[] {
  const mark = new Intl.NumberFormat(code, { numberingSystem: 'latn' }).format(1.5).charAt(1)
  const isForeign = mark === ',' ? /\./ : /,(?!\d{3}\b)/
  const amounts = amountsIn(text)
  const values = amounts.map(readValue)
  return [
    ...amounts.filter((amount) => isForeign.test(amount)).map((amount) => `${amount}: not as decimals of ${code}`),
    ...amounts.filter((_, nth) => values[nth] === undefined).map((amount) => `${amount}: cannot be read`),
    ...amountsIn(model).flatMap((amount) =>
      values.includes(readValue(amount)) ? [] : [`${amount}: missing in ${text}`],
    ),
  ]
}

function amountsIn(text: string): string[] {
  return text.match(/\d(?:[\d.,]*\d)?(?:k| btc)?/g) ?? []
}

/** Reads a typed amount as the bot and the wallet page do, in msats. */
function readValue(amount: string): bigint | undefined {
  const read = parseAmountText(amount)
  return read.kind === 'msats' ? read.amount : undefined
}

function flat(sentences: object, path = ''): Map<string, string> {
  const entries = Object.entries(sentences).flatMap(([name, value]): (readonly [string, string])[] =>
    typeof value === 'string' ? [[path + name, value]] : [...flat(value as object, `${path + name}.`)],
  )
  return new Map(entries)
}
