import type { Sentences } from '../../src/bot/i18n/languages.ts'
import { commandFaults } from './command-faults.ts'
import { isStyled, limitOf } from './limits.ts'
import { flatten, formsOf, withoutForm } from './sentences.ts'

/**
 * Returns the faults of a language's file compared with the English one, as `path: what`; empty if there are none.
 * English is compared with itself by the same rules, except for those about translation.
 */
export function faultsOf(code: string, vocabulary: Sentences, english: Sentences): string[] {
  const own = flatten(vocabulary)
  const original = flatten(english)
  const expected = expectedKeys(code, original)
  return [
    ...[...expected.keys()].filter((key) => !own.has(key)).map((key) => `${key}: is missing`),
    ...[...own.keys()].filter((key) => !expected.has(key)).map((key) => `${key}: ${whySurplus(key, expected)}`),
    ...[...expected].flatMap(([key, like]) => {
      const text = own.get(key)
      const model = original.get(like)
      return text === undefined || model === undefined
        ? []
        : textFaults(key, text, model, code).map((fault) => `${key}: ${fault}`)
    }),
    ...commandFaults(vocabulary, english),
  ]
}

/** Returns every key that a language must have, each with the English key with which it is compared. */
function expectedKeys(code: string, original: ReadonlyMap<string, string>): Map<string, string> {
  const expected = new Map<string, string>()
  for (const key of original.keys()) {
    const name = withoutForm(key)
    if (name === key) expected.set(key, key)
    else for (const form of formsOf(code)) expected.set(`${name}_${form}`, `${name}_other`)
  }
  return expected
}

function whySurplus(key: string, expected: ReadonlyMap<string, string>): string {
  const forms = [...expected.keys()].filter((other) => withoutForm(other) === withoutForm(key))
  return forms.length > 0 ? `is no form of the plural here, which are ${forms.join(', ')}` : 'is not asked for'
}

function textFaults(key: string, text: string, model: string, code: string): string[] {
  const { most, what } = limitOf(key)
  const length = [...text].length
  const faults: string[] = []
  if (text.trim() === '') return ['is empty']
  if (length > most) faults.push(`has ${length} characters, and ${what} may have ${most}`)
  if (length > 2.5 * [...model].length + 30)
    faults.push(`is much longer (${length}) than in English (${[...model].length})`)
  if (!isStyled(key) && /`\//.test(text)) faults.push('names a command in code where Discord shows no code')
  if (isStyled(key) && NAMED_ONLY.test(text)) faults.push('names a command outside code, where nobody can press it')
  if (text !== text.trim() || /[^\n] {2}|\t|\r/.test(text)) faults.push('has spaces too many')
  for (const [name, pattern] of Object.entries(UNTOUCHED)) {
    const has = found(withPoints(text), pattern)
    const wants = found(model, pattern)
    if (has.join() !== wants.join()) faults.push(`must have ${name} ${told(wants)}, and has ${told(has)}`)
  }
  if (code !== 'en' && text === model && isSentence(model)) faults.push('has not been translated')
  return faults
}

/** The parts that a translation must contain as often as the English text, in any order. */
const UNTOUCHED = {
  placeholders: /\{\{[^{}]*\}\}/g,
  'pieces of code': /`[^`]*`/g,
  commands: /(?<![`\w/:.<])\/[a-z]+(?: [a-z-]+:)?/g,
  'marks of style': /\*\*|__|~~|\|\||`|[#<>]/g,
  'line breaks': /\n/g,
  pictograms: /\p{Extended_Pictographic}/gu,
  'command lines': /npm run \S+(?: --)?/g,
} as const

/** A pattern for a command of ours that is not in code marks. */
const NAMED_ONLY = /(?<![`\w/:.<])\/[a-z]{2,}/

/** Converts decimals in code, such as `2,5k`, to the English form. */
function withPoints(text: string): string {
  return text.replaceAll(/(?<=`\d+),(?=\d+(?:k| btc)`)/g, '.')
}

function found(text: string, pattern: RegExp): string[] {
  return (text.match(pattern) ?? []).map((mark) => (mark === '\n' ? '⏎' : mark)).toSorted()
}

function told(marks: readonly string[]): string {
  return marks.length === 0 ? 'none' : marks.join(' ')
}

/** Returns whether a text has four words or more; a shorter one may be the same in another language. */
function isSentence(text: string): boolean {
  const words = text.replaceAll(/\{\{[^{}]*\}\}|`[^`]*`/g, ' ').match(/\p{L}{2,}/gu) ?? []
  return words.length >= 4
}
