import { floorToSat, MSATS_PER_SAT, type Msats, msats, sats } from '../../lib/money/amount.ts'
import { parseAmountText, partOfBalance } from '../../lib/money/amount-text.ts'
import type { Suggestion, Typing } from '../interactions/command.ts'
import { fiatValueText } from '../messages/fiat-value.ts'

const PRESETS = [21, 100, 500, 1_000, 2_100, 5_000, 10_000]

/** Suggests amounts in sats while somebody types. */
export async function suggestAmounts(typing: Typing): Promise<Suggestion[]> {
  return [...asTyped(typing), ...presets(typing)]
}

/** Suggests amounts for gifts from a balance, including `half` and `all`, with no preset above the balance. */
export async function suggestOwnAmounts(typing: Typing): Promise<Suggestion[]> {
  const balance = await typing.tipping.balances.available(typing.member)
  const half = floorToSat(msats(balance / 2n))
  const all = floorToSat(balance)
  const parts = [
    ...(half > 0n ? [suggestion('half', half, typing)] : []),
    ...(all > 0n ? [suggestion('all', all, typing)] : []),
  ]
  return [
    ...asTyped(typing),
    ...partTyped(typing, balance),
    ...parts.filter(begins(typing)),
    ...presets(typing, balance),
  ]
}

/**
 * Suggests amounts for payments from a balance. The amount of `all` is not shown, because it depends on an unknown fee.
 */
export async function suggestSendable(typing: Typing): Promise<Suggestion[]> {
  const own = await suggestOwnAmounts(typing)
  return own.map(({ name, value }) => ({ name: value === 'all' ? value : name, value }))
}

/**
 * Suggests the amount of a typed part of the balance, such as `25%` or `max`. Returns nothing for `half` and `all`,
 * which are suggested anyway.
 */
function partTyped(typing: Typing, balance: Msats): Suggestion[] {
  const text = typing.typed.trim()
  const amount = partOfBalance(text, balance)
  const isOffered = ['half', 'all'].includes(text.toLowerCase())
  return amount !== undefined && amount > 0n && !isOffered ? [suggestion(text, amount, typing)] : []
}

/** Suggests the typed amount, labelled with its value in sats. */
function asTyped(typing: Typing): Suggestion[] {
  const text = typing.typed.trim()
  const read = parseAmountText(text)
  if (read.kind === 'msats') return [suggestion(text, read.amount, typing)]
  if (read.kind !== 'fiat') return []
  const amount = typing.tipping.inSats(read.currency, read.value)
  if (amount === undefined || amount === 0n) return []
  // A member who picks it gives the displayed amount, whatever the price is by then.
  return [{ name: `${text} · ${typing.t.amount(amount)}`, value: String(amount / MSATS_PER_SAT) }]
}

function presets(typing: Typing, most?: Msats): Suggestion[] {
  const text = typing.typed.trim()
  return PRESETS.filter((preset) => most === undefined || sats(preset) <= most)
    .map((preset) => suggestion(String(preset), sats(preset), typing))
    .filter(({ value }) => value !== text && begins(typing)({ value }))
}

function begins({ typed }: Typing): (suggestion: Pick<Suggestion, 'value'>) => boolean {
  return ({ value }) => value.startsWith(typed.trim().toLowerCase())
}

function suggestion(value: string, amount: Msats, { tipping, t }: Typing): Suggestion {
  const parts = [/^\d+$/.test(value) ? '' : value, t.amount(amount), fiatValueText(tipping, amount, t)]
  return { name: parts.filter((part) => part !== '').join(' · '), value }
}
