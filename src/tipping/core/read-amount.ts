import { ceilToSat, MAX_MSATS, type Msats, msats } from '../../lib/money/amount.ts'
import { parseAmountText, partOfBalance } from '../../lib/money/amount-text.ts'
import type { Rates } from './rates.ts'
import { shown } from './shown.ts'
import { TippingRefusal } from './tipping-refusal.ts'

export interface AmountLimits {
  readonly smallest: Msats
  /** The number of equal parts into which the amount is divided; each must reach `smallest`. Default: one. */
  readonly parts?: number
  readonly largest: Msats
  /** The rates for amounts such as `$5`. */
  readonly rates: Pick<Rates, 'toMsats'>
}

/** A mention as Discord sends it: a member (people see `@bob`), a role, or everybody. */
const MENTION = /<@[!&]?\d+>|@(everyone|here)\b/

/** Whether a typed amount is all or a part of the giver's balance, even if the part is too large. */
export function isRelative(text: string): boolean {
  const read = parseAmountText(text)
  return read.kind === 'all' || read.kind === 'part' || (read.kind === 'invalid' && read.reason === 'more-than-all')
}

/** Whether a typed amount is the giver's whole balance. */
export function isAll(text: string): boolean {
  return parseAmountText(text).kind === 'all'
}

const WHOLE = 10_000n

/** Returns the smallest balance of which the typed part reaches this amount. */
function wholeOf(text: string, amount: Msats): Msats {
  const read = parseAmountText(text)
  if (read.kind !== 'part') return amount
  const points = BigInt(read.basisPoints)
  return msats((amount * WHOLE + points - 1n) / points)
}

/**
 * Reads a typed amount as msats: `500`, `1,000`, `2.5k`, `1m`, `0.001 btc`, `21 sats`, `all`, `half`, `25%`, `$5`. This
 * function is the only one that reads amounts. Without a unit, the amount is in sats. `balance`: the whole to which
 * `all` and parts refer; without a balance, such texts are refused. Throws a TippingRefusal. Never returns less than
 * `smallest` or more than `largest`.
 */
export function readAmount(text: string, limits: AmountLimits, balance?: Msats): Msats {
  const amount = isRelative(text) && balance !== undefined ? relative(text, limits, balance) : absolute(text, limits)
  if (amount < limits.smallest) throw tooSmall(limits)
  if (amount > limits.largest) throw new TippingRefusal('amount-too-large', { largest: limits.largest })
  return amount
}

function tooSmall({ smallest, parts = 1 }: AmountLimits): TippingRefusal {
  return new TippingRefusal('amount-too-small', parts > 1 ? { smallest, parts } : { smallest })
}

function relative(text: string, { smallest }: AmountLimits, balance: Msats): Msats {
  const amount = partOfBalance(text, balance)
  if (amount === undefined) throw new TippingRefusal('amount-more-than-all', { text: shown(text) })
  if (amount >= smallest) return amount
  const needed = wholeOf(text, ceilToSat(smallest))
  throw new TippingRefusal('insufficient-funds', { balance, needed, missing: msats(needed - balance) })
}

function absolute(text: string, { rates }: AmountLimits): Msats {
  const read = parseAmountText(text)
  if (read.kind === 'msats') return read.amount
  if (read.kind === 'fiat') return rates.toMsats(read.currency, read.value)
  const facts = { text: shown(text) }
  // Its text would show ids instead of names.
  if (MENTION.test(text)) throw new TippingRefusal('amount-with-people', {})
  if (read.kind === 'all' || read.kind === 'part') throw new TippingRefusal('amount-of-nothing', facts)
  switch (read.reason) {
    case 'empty':
    case 'not-a-number':
      throw new TippingRefusal('amount-not-understood', facts)
    case 'words':
      throw new TippingRefusal('amount-with-words', facts)
    case 'more-than-all':
      throw new TippingRefusal('amount-of-nothing', facts)
    case 'ambiguous':
      throw new TippingRefusal('amount-ambiguous', facts)
    case 'zero':
    case 'negative':
      throw new TippingRefusal('amount-zero', {})
    case 'fraction-of-msat':
      throw new TippingRefusal('amount-fraction-of-msat', {})
    case 'too-large':
      return MAX_MSATS
    default:
      return read.reason satisfies never
  }
}
