import { MSATS_PER_SAT } from '../../lib/money/amount.ts'
import type { Translator } from '../i18n/translator.ts'
import { isDrawable } from './fonts.ts'

/**
 * Converts msats to a number of sats for a chart. The error is below one sat for any amount of bitcoin that can exist.
 */
export function satsOf(msats: bigint): number {
  return Number(msats) / Number(MSATS_PER_SAT)
}

/** Formats a sum such as `12.5K` or `20万`, short enough for an axis, in letters that a font has. */
export function short(sats: number, { locale }: Translator): string {
  const options = { notation: 'compact', maximumFractionDigits: 1, numberingSystem: 'latn' } as const
  const text = new Intl.NumberFormat(locale, options).format(sats)
  return isDrawable(text) ? text : new Intl.NumberFormat('en', options).format(sats)
}

/** Formats a sum in full, with separators and at most three decimals. */
export function whole(sats: number, { locale }: Translator): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: 3, numberingSystem: 'latn' }).format(sats)
}

const SHOWN = {
  hour: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  // By its name, because `10/11` is one day in one country and another elsewhere.
  day: { day: 'numeric', month: 'short' },
  month: { month: '2-digit', year: '2-digit' },
} as const

/** Formats the start of an hour, a day or a month (UTC); in digits if no font has the language's letters. */
export function moment(date: Date, unit: 'hour' | 'day' | 'month', { locale }: Translator): string {
  const write = (language: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC', numberingSystem: 'latn' }).format(date)
  const text = write(locale, SHOWN[unit])
  if (isDrawable(text)) return text
  return unit === 'day' ? write(locale, { day: 'numeric', month: 'numeric' }) : write('en', SHOWN[unit])
}

/**
 * Returns the approximate width of a drawn text, counted in Latin letters. East Asian characters fill a square, and
 * marks take no room.
 */
export function lettersWide(text: string): number {
  return [...text].reduce((sum, letter) => sum + (SQUARE.test(letter) ? 1.75 : /\p{M}/u.test(letter) ? 0 : 1), 0)
}

const SQUARE = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u
