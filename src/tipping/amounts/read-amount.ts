import { floorToSat, MAX_MSATS, MSATS_PER_BTC, MSATS_PER_SAT, type Msats, msats } from '../../lib/amount.ts'
import { Refusal } from '../refusal.ts'

export interface AmountLimits {
  readonly smallest: Msats
  readonly largest: Msats
}

const UNITS: Readonly<Record<string, bigint>> = {
  '': MSATS_PER_SAT,
  sat: MSATS_PER_SAT,
  sats: MSATS_PER_SAT,
  msat: 1n,
  msats: 1n,
  btc: MSATS_PER_BTC,
}
const MULTIPLES: Readonly<Record<string, bigint>> = { '': 1n, k: 1_000n, m: 1_000_000n }

const CURRENCIES = /^(?:([$€£¥₹₽₺₴])\s*[\d.,]+|[\d.,]+\s*([$€£¥₹₽₺₴]|usd|eur|gbp|jpy|inr|brl|try|rub|uah|pln|idr))$/i

/** Whether the amount is a part of what its giver has. */
export function isRelative(text: string): boolean {
  return /^(all|half)$/i.test(text.trim())
}

/**
 * The one place where an amount that a person typed is read: `500`, `1,000`, `2.5k`, `1m`, `0.001 btc`, `21 sats`, `all`,
 * `half`. Sats where no unit is given. `balance` is what `all` and `half` refer to; without it they are not understood.
 * Throws a Refusal; never returns less than `smallest` or more than `largest`.
 */
export function readAmount(text: string, limits: AmountLimits, balance?: Msats): Msats {
  const amount = isRelative(text) && balance !== undefined ? relative(text, limits, balance) : absolute(text)
  if (amount < limits.smallest) throw new Refusal('amount-too-small', { smallest: limits.smallest })
  if (amount > limits.largest) throw new Refusal('amount-too-large', { largest: limits.largest })
  return amount
}

function relative(text: string, { smallest }: AmountLimits, balance: Msats): Msats {
  const amount = text.trim().toLowerCase() === 'all' ? balance : floorToSat(msats(balance / 2n))
  if (amount >= smallest) return amount
  const needed = text.trim().toLowerCase() === 'all' ? smallest : msats(smallest * 2n)
  throw new Refusal('insufficient-funds', { balance, needed, missing: msats(needed - balance) })
}

function absolute(text: string): Msats {
  const typed = text.trim().toLowerCase()
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text
  const currency = CURRENCIES.exec(typed)
  if (currency) throw new Refusal('amount-needs-rate', { currency: (currency[1] ?? currency[2] ?? '').toUpperCase() })
  const match = /^(-?)(\d{1,24}|\d{1,3}(?:,\d{3}){1,7})?(?:\.(\d{1,24}))?\s*([km]?)\s*(sats?|msats?|btc)?$/.exec(typed)
  const [, minus, whole = '', fraction = '', multiple = '', unit = ''] = match ?? []
  if (!match || whole + fraction === '') throw new Refusal('amount-not-understood', { text: shown })
  const scale = (UNITS[unit] ?? 0n) * (MULTIPLES[multiple] ?? 0n)
  const digits = BigInt(whole.replaceAll(',', '') + fraction) * scale
  const divisor = 10n ** BigInt(fraction.length)
  if (digits === 0n) throw new Refusal('amount-zero', {})
  if (minus) throw new Refusal('amount-negative', {})
  if (digits % divisor !== 0n) throw new Refusal('amount-fraction-of-msat', {})
  const amount = digits / divisor
  return (amount > MAX_MSATS ? MAX_MSATS : amount) as Msats
}
