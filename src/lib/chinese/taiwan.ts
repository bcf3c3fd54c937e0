import { CHARACTERS, WORDS } from './taiwan-words.ts'

/** Texts by name, in groups. */
export interface Texts {
  readonly [name: string]: string | Texts
}

/**
 * Converts mainland Chinese texts to Taiwan's Chinese: whole words where Taiwan uses other words, and every other
 * simplified character to the traditional one. A test checks that Taiwan's own set (Big5) contains every resulting
 * character.
 */
export function inTaiwan(texts: Texts): Texts {
  return Object.fromEntries(
    Object.entries(texts).map(([name, value]) => [name, typeof value === 'string' ? write(value) : inTaiwan(value)]),
  )
}

const characters = new Map(pairs([...CHARACTERS]))
const words = new Map(Object.entries(WORDS))
/** The pattern of these words, which matches the longest of those that begin at the same place. */
const anyWord = new RegExp([...words.keys()].toSorted((one, other) => other.length - one.length).join('|'), 'gu')

function write(text: string): string {
  return text
    .split(/(\{\{.*?\}\})/u)
    .map((part, at) => (at % 2 === 1 ? part : convert(part)))
    .join('')
}

function convert(text: string): string {
  return (
    text
      .replaceAll(anyWord, (word) => words.get(word) ?? word)
      // As before every other Latin word.
      .replaceAll(/(?<=\p{Script=Han})(?=QR )/gu, ' ')
      .replaceAll(/\p{Script=Han}/gu, (each) => characters.get(each) ?? each)
  )
}

function pairs(all: readonly string[]): [string, string][] {
  return all.flatMap((each, at): [string, string][] => (at % 2 === 0 ? [[each, all[at + 1] ?? each]] : []))
}
