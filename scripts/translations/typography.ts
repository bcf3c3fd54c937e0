import { readSentences, type Sentences } from '../../src/bot/i18n/languages.ts'
import { isSpoken } from '../../src/payments-service/wallet-page/i18n/languages.ts'
import { readTexts } from '../../src/payments-service/wallet-page/i18n/translator.ts'
import { flatten } from './sentences.ts'

/** The key of the text that shows a language's quotation marks. */
const QUOTED = 'units.quoted'
const QUOTES = /[“”„«»「」『』‹›"]/g
const APOSTROPHES = /(?<=\p{L})['’](?=[\p{L}{`*])/gu
/** The marks that French separates with a space, which must not break the line. */
const LOOSE = /« | [»%]| [;:!?](?=\s|$|\*)/

/**
 * Marks above or below Devanagari letters that people write or omit: the moon with a dot (chandrabindu) instead of the
 * dot alone, and the dot of borrowed sounds. Either is right, but a language must spell each word in one way.
 */
const DEVANAGARI = /[\u0900-\u0963\u0971-\u097f]+/g
const ANUSVARA = '\u0902'

/**
 * Returns the places where a language's texts, in the bot and on the wallet page, mix two kinds of one mark, or two
 * spellings of a word; empty if there are none.
 */
export function typographyFaults(code: string): string[] {
  const bot = flatten(readSentences(code))
  const wallet = isSpoken(code) ? flatten(readTexts(code) as unknown as Sentences) : new Map<string, string>()
  const texts = [...bot, ...wallet].map(([key, text]) => [key, plain(text)] as const)
  const own = new Set(bot.get(QUOTED)?.match(QUOTES))
  const apostrophe = mostUsed(texts.flatMap(([, text]) => text.match(APOSTROPHES) ?? []))
  const marks = texts.flatMap(([key, text]) => [
    ...(text.match(QUOTES) ?? []).filter((mark) => !own.has(mark)).map((mark) => `${key}: quotes with ${mark}`),
    ...(text.match(APOSTROPHES) ?? [])
      .filter((mark) => mark !== apostrophe)
      .map((mark) => `${key}: has the apostrophe ${mark}`),
    ...(code === 'fr' && LOOSE.test(text) ? [`${key}: a mark can be parted from its word by a line break`] : []),
  ])
  return [...marks, ...twoSpellings(texts.map(([, text]) => text))]
}

/** Returns the Devanagari words that these texts spell in two ways. */
function twoSpellings(texts: readonly string[]): string[] {
  const words = new Set(texts.flatMap((text) => text.normalize('NFC').match(DEVANAGARI) ?? []))
  const plainly = (word: string) => word.normalize('NFD').replaceAll('\u0901', ANUSVARA).replaceAll('\u093c', '')
  return [...Map.groupBy(words, plainly).values()]
    .filter((spellings) => spellings.length > 1)
    .map((spellings) => `${spellings.join(' and ')} are one word in two spellings`)
}

/** Removes code and the names in placeholders, which are not a language's words. */
function plain(text: string): string {
  return text.replaceAll(/`[^`]*`/g, '`').replaceAll(/\{\{[^}]*\}\}/g, '{')
}

function mostUsed(marks: readonly string[]): string | undefined {
  const counts = [...Map.groupBy(marks, (mark) => mark)].toSorted(([, one], [, other]) => other.length - one.length)
  return counts[0]?.[0]
}
