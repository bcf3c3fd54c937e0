import { createInstance } from 'i18next'
import { formatSats, MSATS_PER_SAT } from '../../lib/money/amount.ts'
import { type CommandIds, type Language, languageOf, languages, type Vocabulary, withCommandIds } from './languages.ts'

export { languageOf } from './languages.ts'

/** A sentence's key: its path in `en.json`, without the plural's ending. */
export type Key = Leaf<Vocabulary>
type Leaf<T> = { [K in keyof T & string]: T[K] extends string ? Singular<K> : `${K}.${Leaf<T[K]>}` }[keyof T & string]
type Singular<K extends string> = K extends `${infer Base}_${PluralForm}` ? Base : K
type PluralForm = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other'

/** Values for a sentence's placeholders. A bigint is an amount of msats; `count` chooses the plural. */
export type Facts = Readonly<Record<string, string | number | bigint>>

/** All of the bot's texts in one language. */
export interface Translator {
  /** The language's BCP 47 tag. */
  readonly locale: string
  /** Returns the sentence with this key, filled in. */
  (key: Key, facts?: Facts): string
  /** Formats an amount with its unit: `1,000 sats`, or `1,000 test sats` if they are not money. */
  amount(msats: bigint): string
  /** Formats a duration: `3 days`, `1 minute`. */
  duration(count: number, unit: 'second' | 'minute' | 'hour' | 'day'): string
  /** Formats a date and a time with "UTC", for places where Discord cannot show the reader's own time. */
  moment(date: Date): string
  /**
   * Formats a time relative to `now`: `2 hours ago`, `tomorrow`. Used in texts that are read at once and then
   * disappear.
   */
  fromNow(date: Date, now: Date): string
  /** Formats a list: `a, b and c`. */
  list(items: readonly string[]): string
}

/** The translators of every language. */
export interface Translators {
  /**
   * Returns the translator for any BCP 47 tag from Discord (`pt-BR`, `es-ES`). For an unsupported language, this is the
   * English translator.
   */
  (locale: string): Translator
  /**
   * Makes commands in code clickable from now on (`</tip:1>`). Commands without ids remain plain code. Discord shows
   * clickable commands only in a message's text, and in an embed's description and fields.
   */
  linkCommands(ids: CommandIds): void
}

/** Creates the translators. `testMoney` is called for each amount, because its answer may become known later. */
export function createTranslators(testMoney: () => boolean): Translators {
  const instance = createInstance({
    lng: 'en',
    fallbackLng: 'en',
    initAsync: false,
    // Messages are not HTML. Discord's own markup is escaped where a person's text is inserted.
    interpolation: { escapeValue: false },
    resources: Object.fromEntries(languages.map(({ code, vocabulary }) => [code, { translation: vocabulary }])),
  })
  void instance.init()
  const spoken = new Map<string, Translator>()
  let [idsOfCommands, linked]: [CommandIds | undefined, Set<string>] = [undefined, new Set()]
  /**
   * Makes a language's commands clickable at its first use. Most bots use two or three languages, and preparing all
   * would take longer than connecting.
   */
  const link = (language: Language) => {
    if (idsOfCommands === undefined || linked.has(language.code)) return
    linked.add(language.code)
    const sentences = withCommandIds(language, idsOfCommands)
    // Not deep, which would change the vocabulary itself.
    instance.addResourceBundle(language.code, 'translation', sentences, false, true, { silent: true, skipCopy: true })
  }
  const translatorFor = (locale: string) => {
    const language = languageOf(locale)
    const { code } = language
    const known = spoken.get(code)
    if (known !== undefined) return known
    const translate = instance.getFixedT(code)
    const say: Translate = (key, facts) => {
      link(language)
      return translate(key, facts)
    }
    const t = speak(code, say, testMoney)
    spoken.set(code, t)
    return t
  }
  return Object.assign(translatorFor, {
    linkCommands: (ids: CommandIds) => {
      idsOfCommands = ids
      linked = new Set()
      // Texts missing in another language are shown in English.
      link(languages[0])
    },
  })
}

/** The word "and" of a list in scripts without spaces between words. Beside names in other scripts, it needs spaces. */
const UNSPACED = /^ ?([\p{Script=Thai}\p{Script=Han}]+) ?$/u

const SMALLEST_UNIT = ['minute', 60_000] as const
const UNITS = [['day', 86_400_000], ['hour', 3_600_000], SMALLEST_UNIT] as const

type Translate = (key: string, facts: Record<string, string | number>) => string

function speak(locale: string, translate: Translate, testMoney: () => boolean): Translator {
  const lists = new Intl.ListFormat(locale)
  const moments = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  const relatives = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const amount = (msats: bigint) =>
    translate(testMoney() ? 'units.testSats' : 'units.sats', {
      figure: formatSats(msats, locale),
      count: Number(msats) / Number(MSATS_PER_SAT),
    })
  const fill = (facts: Facts) =>
    Object.fromEntries(
      Object.entries(facts).map(([name, fact]) => [name, typeof fact === 'bigint' ? amount(fact) : fact]),
    )
  const t = (key: Key, facts: Facts = {}) => translate(key, fill(facts))
  return Object.assign(t, {
    locale,
    amount,
    duration: (count: number, unit: string) =>
      new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count),
    moment: (date: Date) => `${moments.format(date)} UTC`,
    fromNow(date: Date, now: Date) {
      const ms = date.getTime() - now.getTime()
      const [unit, length] = UNITS.find(([, length]) => Math.abs(ms) >= length) ?? SMALLEST_UNIT
      return relatives.format(Math.trunc(ms / length), unit)
    },
    list: (items: readonly string[]) =>
      lists
        .formatToParts(items)
        .map(({ type, value }) => (type === 'literal' ? value.replace(UNSPACED, ' $1 ') : value))
        .join(''),
  })
}
