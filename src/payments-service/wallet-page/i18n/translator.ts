import { readFileSync } from 'node:fs'
import { createInstance } from 'i18next'
import { inTaiwan } from '../../../lib/chinese/taiwan.ts'
import { formatSats, MSATS_PER_SAT } from '../../../lib/money/amount.ts'
import { isRightToLeft } from '../../../lib/web/direction.ts'
import { type Html, type HtmlPart, html } from '../../../lib/web/html.ts'
import type { Unit } from '../../engine/node/unit.ts'
import en from './en.json' with { type: 'json' }
import { isSpoken, LANGUAGES, type LanguageCode } from './languages.ts'

/** A text's key: its group and its name, as in `en.json`. */
export type Key = { [Group in keyof typeof en]: `${Group}.${keyof (typeof en)[Group] & string}` }[keyof typeof en]

/** The page's texts in one language. */
export interface Translator {
  readonly code: LanguageCode
  /** Returns the text with this key as plain text, not HTML, with `facts` filled in. */
  (key: Key, facts?: Readonly<Record<string, string>>): string
  /** Returns the text with this key, with `pieces` of HTML filled in. Escapes everything else. */
  rich(key: Key, pieces: Readonly<Record<string, HtmlPart>>): Html
  /** Formats an amount in msats as a plain number of sats, such as `1,000`. */
  figure(msats: bigint): string
  /** Formats an amount in msats with its unit, such as `1,000 sats`, in which no line can break. */
  amount(msats: bigint, unit: Unit): string
  /** Returns the unit's name, for a page that shows it apart from its figure. */
  unit(unit: Unit): string
  /**
   * Formats a bot command such as `/link`. Discord shows commands in the language that the reader has chosen there,
   * which this page does not know. So languages other than English show both names: `/verbinden (/link)`.
   */
  command(name: keyof typeof en.commands): string
  /** Formats a duration, such as `3 days` or `10 minutes`. */
  duration(count: number, unit: 'second' | 'minute' | 'hour' | 'day'): string
}

let made: ((code: LanguageCode) => Translator) | undefined

/** Creates the translators of all languages on the first call. A text that a language lacks is shown in English. */
export function createTranslators(): (code: LanguageCode) => Translator {
  made ??= makeTranslators()
  return made
}

function makeTranslators(): (code: LanguageCode) => Translator {
  const instance = createInstance({
    lng: 'en',
    fallbackLng: 'en',
    initAsync: false,
    resources: Object.fromEntries(codes().map((code) => [code, { translation: readTexts(code) }])),
  })
  void instance.init()
  const translators = new Map(codes().map((code) => [code, speak(code, instance.getFixedT(code))]))
  return (code) => translators.get(code) as Translator
}

/**
 * Reads a language's texts as its translators wrote them. The texts for Taiwan are converted from those in simplified
 * Chinese.
 */
export function readTexts(code: LanguageCode): typeof en {
  if (code === 'zh-TW') return inTaiwan(readTexts('zh')) as typeof en
  return JSON.parse(readFileSync(new URL(`./${code}.json`, import.meta.url), 'utf8'))
}

function codes(): LanguageCode[] {
  return Object.keys(LANGUAGES).filter(isSpoken)
}

const NO_BREAK = '\u00a0'
/** The characters around a fact in a right-to-left text. They keep its marks in place, as in `/link` and `+5`. */
const [ISOLATE, END] = ['\u2068', '\u2069']

function speak(
  code: LanguageCode,
  find: (key: string, options: { skipInterpolation: true; count: number | undefined }) => string,
): Translator {
  // Insert the facts here, not in i18next, so that a person's text is never read as one of ours.
  const piecesOf = <T>(key: string, facts: Readonly<Record<string, T>>, count?: number) =>
    find(key, { skipInterpolation: true, count })
      .split(/\{\{(\w+)\}\}/)
      .flatMap<string | T | undefined>((piece, i) => (i % 2 === 0 ? [piece] : isolated(facts[piece])))
  const isolated = <T>(fact: T) => (isRightToLeft(code) ? [ISOLATE, fact, END] : [fact])
  const figure = (amount: bigint) => formatSats(amount, code)
  const t = (key: Key, facts: Readonly<Record<string, string>> = {}) => piecesOf(key, facts).join('')
  return Object.assign(t, {
    code,
    rich: (key: Key, pieces: Readonly<Record<string, HtmlPart>>) => html`${piecesOf(key, pieces)}`,
    figure,
    amount: (amount: bigint, unit: Unit) => {
      const name = unit === 'sats' ? 'units.sats' : 'units.testSats'
      const count = Number(amount) / Number(MSATS_PER_SAT)
      return piecesOf(name, { figure: figure(amount) }, count)
        .join('')
        .replaceAll(' ', NO_BREAK)
    },
    unit: (unit: Unit) => t(unit === 'sats' ? 'units.name' : 'units.testName'),
    command: (name: keyof typeof en.commands) => {
      const [own, english] = [t(`commands.${name}`), en.commands[name]]
      return own === english ? `/${own}` : `/${own} (/${english})`
    },
    duration: (count: number, unit: string) =>
      new Intl.NumberFormat(code, { style: 'unit', unit, unitDisplay: 'long' }).format(count),
  })
}
