import { createInstance } from 'i18next'
import { formatSats } from '../../../lib/money/amount.ts'
import { type Html, withCode } from '../../../lib/web/html.ts'
import en from './en.json' with { type: 'json' }

type Path<Tree> = {
  [Name in keyof Tree & string]: Tree[Name] extends string ? Plain<Name> : `${Name}.${Path<Tree[Name]>}`
}[keyof Tree & string]
type Plain<Name extends string> = Name extends `${infer Base}_${'one' | 'other'}` ? Base : Name

/** A text's name, as in `en.json`. */
export type Key = Path<typeof en>
export type Facts = Readonly<Record<string, string | number>>

/** The console's texts, in one language. */
export interface Translator {
  (key: Key, facts?: Facts): string
  /** Returns the same text as HTML, with `code` for the words in backticks. */
  html(key: Key, facts?: Facts): Html
  /** Whether a text with this name exists. */
  has(name: string): boolean
  /** Formats msats with their unit. */
  amount(msats: bigint, isTest: boolean): string
}

/** The languages of the console. A new language needs a file beside `en.json` and a line here. */
const LANGUAGES = { en: { translation: en } }

export function createTranslator(code: keyof typeof LANGUAGES): Translator {
  const instance = createInstance({
    ...{ lng: code, fallbackLng: 'en', initAsync: false, resources: LANGUAGES },
    interpolation: { escapeValue: false },
  })
  void instance.init()
  const speak = instance.getFixedT(code)
  const say = (key: string, facts: Facts): string => speak(key, facts)
  return Object.assign((key: Key, facts: Facts = {}) => say(key, facts), {
    has: (name: string) => instance.exists(name),
    html: (key: Key, facts: Facts = {}) => withCode(say(key, facts)),
    amount: (msats: bigint, isTest: boolean) => `${formatSats(msats, code)} ${isTest ? 'test sats' : 'sats'}`,
  })
}
