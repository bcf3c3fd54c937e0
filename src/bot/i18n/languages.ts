import { readFileSync } from 'node:fs'
import { inTaiwan } from '../../lib/chinese/taiwan.ts'
import en from './en.json' with { type: 'json' }
import { type CommandIds, type Sentences, withOwnNames } from './own-names.ts'

export type { CommandIds, Sentences } from './own-names.ts'

/** Texts that every language must have. English is the original; its file decides which sentences there are. */
export type Vocabulary = typeof en

export interface Language {
  /** BCP 47, as `Intl` and i18next understand it. */
  readonly code: string
  /** The names that Discord has for it. https://docs.discord.com/developers/reference#locales */
  readonly discord: readonly string[]
  /** As its translators wrote it: commands and options have their English names. */
  readonly written: Sentences
  /** Texts that people read: commands and options have the names of their language. */
  readonly vocabulary: Sentences
}

const english: Language = { code: 'en', discord: ['en-US', 'en-GB'], written: en, vocabulary: en }

/** The names that Discord has for each other language. */
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

/** Traditional Chinese is read in Hong Kong and Macao, too: browsers ask for it under these names. */
const TRADITIONAL = /^zh-(TW|HK|MO|Hant)\b/i

/** To add a language: put its file beside `en.json`, and its names above. The first is what everybody else gets. */
export const languages: readonly [Language, ...Language[]] = [
  english,
  ...Object.entries(OTHERS).map(([code, discord]) => {
    const written = readSentences(code)
    return { code, discord, written, vocabulary: withOwnNames(written, en) }
  }),
]

/** The language that a Discord locale is answered in. */
export function languageOf(locale: string): Language {
  if (TRADITIONAL.test(locale)) return languages.find(({ code }) => code === 'zh-TW') ?? languages[0]
  return (
    languages.find(({ discord }) => discord.includes(locale)) ??
    languages.find(({ code }) => code === locale.split('-')[0]) ??
    languages[0]
  )
}

/** The first language of a browser's list (RFC 9110, Accept-Language) that is spoken here. */
export function languageIn(header = ''): string {
  const wanted = header.split(',').map((part) => part.split(';')[0]?.trim() ?? '')
  const spoken = wanted.find((tag) => languages.some(({ code }) => code === tag.split('-')[0]?.toLowerCase()))
  return spoken ?? 'en'
}

/** A language's sentences with commands to press, once Discord has given the commands their ids. */
export function withCommandIds({ written }: Language, ids: CommandIds): Sentences {
  return withOwnNames(written, en, ids)
}

/** A language's file as its translators wrote it. The texts for Taiwan are derived from the one Chinese file. */
export function readSentences(code: string): Sentences {
  if (code === 'zh-TW') return inTaiwan(readSentences('zh')) as Sentences
  return JSON.parse(readFileSync(new URL(`./${code}.json`, import.meta.url), 'utf8')) as Sentences
}
