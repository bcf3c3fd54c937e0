import { readPasted } from '../../lib/pasted-text.ts'
import { shown } from '../core/shown.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }
const UNIT_NAMES = /^(?:(m|min|mins|minutes?)|(h|hrs?|hours?)|(d|days?)|(w|weeks?))$/

export const MIN_MINUTES = 1
export const MAX_DAYS = 30

const MIN_CLAIM_MINUTES = 10
const MAX_CLAIM_DAYS = 7

/** Returns a typed claim time in minutes. Throws TippingRefusal `duration-not-understood` or `giveaway-claim-time`. */
export function readClaimTime(text: string): number {
  const outOfRange = new TippingRefusal('giveaway-claim-time', { shortest: MIN_CLAIM_MINUTES, longest: MAX_CLAIM_DAYS })
  const totalMs = readTotal(text)
  if (totalMs < MIN_CLAIM_MINUTES * 60_000 || totalMs > MAX_CLAIM_DAYS * 86_400_000) throw outOfRange
  return totalMs / 60_000
}

/**
 * Returns a typed duration (`30m`, `2h`, `1d 12h`, `90 minutes`) in milliseconds. Throws TippingRefusal
 * `duration-not-understood` or `duration-out-of-range`.
 */
export function readDuration(text: string): number {
  const totalMs = readTotal(text)
  if (totalMs < MIN_MINUTES * 60_000 || totalMs > MAX_DAYS * 86_400_000) {
    throw new TippingRefusal('duration-out-of-range', { shortest: MIN_MINUTES, longest: MAX_DAYS })
  }
  return totalMs
}

function readTotal(text: string): number {
  const plain = readPasted(text).toLowerCase()
  const parts = [...plain.matchAll(/(\d{1,6})\s*([a-z]+)/g)]
  const rest = plain.replaceAll(/\d{1,6}\s*[a-z]+/g, '').replaceAll(/[\s,]/g, '')
  if (parts.length === 0 || rest !== '' || plain.length > 40) throw notUnderstood(text)
  return parts.reduce((sum, [, figure, name = '']) => sum + Number(figure) * unitMs(name, text), 0)
}

function unitMs(name: string, text: string): number {
  const names = UNIT_NAMES.exec(name)
  const unit = ['m', 'h', 'd', 'w'][names?.slice(1).findIndex((each) => each !== undefined) ?? -1]
  const ms = UNIT_MS[unit ?? '']
  if (ms === undefined) throw notUnderstood(text)
  return ms
}

function notUnderstood(text: string): TippingRefusal {
  return new TippingRefusal('duration-not-understood', { text: shown(text) })
}
