import { MSATS_PER_SAT } from '../../lib/money/amount.ts'
import type { Translator } from '../i18n/translator.ts'
import { isDrawable } from './fonts.ts'

/** Sats as a chart's number. Exact up to all bitcoin there will ever be. */
export function satsOf(msats: bigint): number {
  return Number(msats) / Number(MSATS_PER_SAT)
}

/** `12.5K`, `20万`: what fits an axis, in letters that there is a font for. */
export function short(sats: number, { locale }: Translator): string {
  const options = { notation: 'compact', maximumFractionDigits: 1, numberingSystem: 'latn' } as const
  const text = new Intl.NumberFormat(locale, options).format(sats)
  return isDrawable(text) ? text : new Intl.NumberFormat('en', options).format(sats)
}

/** A whole number with its separators. */
export function whole(sats: number, { locale }: Translator): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: 3, numberingSystem: 'latn' }).format(sats)
}

const SHOWN = {
  hour: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  // By its name, since `10/11` is one day in one country and another elsewhere.
  day: { day: 'numeric', month: 'short' },
  month: { month: '2-digit', year: '2-digit' },
} as const

/** The beginning of an hour, a day or a month (UTC); in digits where no font has the letters of the language. */
export function moment(date: Date, unit: 'hour' | 'day' | 'month', { locale }: Translator): string {
  const write = (language: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC', numberingSystem: 'latn' }).format(date)
  const text = write(locale, SHOWN[unit])
  if (isDrawable(text)) return text
  return unit === 'day' ? write(locale, { day: 'numeric', month: 'numeric' }) : write('en', SHOWN[unit])
}

/** Width of a drawn text in letters of ours: East Asian characters fill a square, marks take no room. */
export function lettersWide(text: string): number {
  return [...text].reduce((sum, letter) => sum + (SQUARE.test(letter) ? 1.75 : /\p{M}/u.test(letter) ? 0 : 1), 0)
}

const SQUARE = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u
