import { MSATS_PER_SAT } from '../../lib/money/amount.ts'
import type { Translator } from '../i18n/translator.ts'

/** Sats as a chart's number. Exact up to all bitcoin there will ever be. */
export function satsOf(msats: bigint): number {
  return Number(msats) / Number(MSATS_PER_SAT)
}

/** `12.5K`: what fits an axis, in digits that the font has. */
export function short(sats: number, { locale }: Translator): string {
  const options = { notation: 'compact', maximumFractionDigits: 1, numberingSystem: 'latn' } as const
  const text = new Intl.NumberFormat(locale, options).format(sats)
  return /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Common}]+$/u.test(text)
    ? text
    : new Intl.NumberFormat('en', options).format(sats)
}

/** A whole number with its separators. */
export function whole(sats: number, { locale }: Translator): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: 3, numberingSystem: 'latn' }).format(sats)
}

/** The beginning of an hour, a day or a month (UTC), in digits. */
export function moment(date: Date, unit: 'hour' | 'day' | 'month', { locale }: Translator): string {
  const shown = {
    hour: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
    day: { day: 'numeric', month: 'numeric' },
    month: { month: '2-digit', year: '2-digit' },
  } as const
  return new Intl.DateTimeFormat(locale, { ...shown[unit], timeZone: 'UTC', numberingSystem: 'latn' }).format(date)
}
