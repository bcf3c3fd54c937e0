import { readFileSync } from 'node:fs'
import { inTaiwan } from '../../lib/chinese/taiwan.ts'
import en from './en.json' with { type: 'json' }
import { type CommandIds, type Sentences, withOwnNames } from './own-names.ts'

export type { CommandIds, Sentences } from './own-names.ts'

/** The texts that every language must have. English is the original: its file determines which sentences exist. */
export type Vocabulary = typeof en

export interface Language {
  /** The language's BCP 47 tag, for `Intl` and i18next. */
  readonly code: string
  /** Discord's locales for this language. https://docs.discord.com/developers/reference#locales */
  readonly discord: readonly string[]
  /** The sentences as translators wrote them, with the English names of commands and options. */
  readonly written: Sentences
  /** The sentences as people read them, with the names of commands and options in this language. */
  readonly vocabulary: Sentences
}

const english: Language = { code: 'en', discord: ['en-US', 'en-GB'], written: en, vocabulary: en }

/** Discord's locales for each language other than English. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  es: ['es-ES', 'es-419'],
  pt: ['pt-BR'],
  de: ['de'],
  fr: ['fr'],
  it: ['it'],
  nl: ['nl'],
  pl: ['pl'],
  tr: ['tr'],
  ru: ['ru'],
  uk: ['uk'],
  ja: ['ja'],
  zh: ['zh-CN'],
  'zh-TW': ['zh-TW'],
  id: ['id'],
  hi: ['hi'],
  vi: ['vi'],
  ko: ['ko'],
  th: ['th'],
}

/** The tags under which browsers request Traditional Chinese, which is also read in Hong Kong and Macao. */
const TRADITIONAL = /^zh-(TW|HK|MO|Hant)\b/i

/**
 * All languages, of which the first is the default. To add a language, put its file beside `en.json`, and add its
 * Discord locales above.
 */
export const languages: readonly [Language, ...Language[]] = [
  english,
  ...Object.entries(OTHERS).map(([code, discord]) => {
    const written = readSentences(code)
    return { code, discord, written, vocabulary: withOwnNames(written, en) }
  }),
]

/** Returns the language for a Discord locale. */
export function languageOf(locale: string): Language {
  if (TRADITIONAL.test(locale)) return languages.find(({ code }) => code === 'zh-TW') ?? languages[0]
  return (
    languages.find(({ discord }) => discord.includes(locale)) ??
    languages.find(({ code }) => code === locale.split('-')[0]) ??
    languages[0]
  )
}

/**
 * Returns the first supported language in a browser's list (RFC 9110, Accept-Language), or English if there is none.
 */
export function languageIn(header = ''): string {
  const wanted = header.split(',').map((part) => part.split(';')[0]?.trim() ?? '')
  const spoken = wanted.find((tag) => languages.some(({ code }) => code === tag.split('-')[0]?.toLowerCase()))
  return spoken ?? 'en'
}

/** Returns a language's sentences with clickable commands, after Discord has given the commands their ids. */
export function withCommandIds({ written }: Language, ids: CommandIds): Sentences {
  return withOwnNames(written, en, ids)
}

/**
 * Reads a language's sentences as its translators wrote them. The texts for Taiwan are derived from the only Chinese
 * file.
 */
export function readSentences(code: string): Sentences {
  if (code === 'zh-TW') return inTaiwan(readSentences('zh')) as Sentences
  return JSON.parse(readFileSync(new URL(`./${code}.json`, import.meta.url), 'utf8')) as Sentences
}
