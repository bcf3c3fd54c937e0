import { MSATS_PER_SAT, type Msats, msats } from '../../lib/money/amount.ts'
import type { ReadonlyBook } from '../core/context.ts'
import { readAmount } from '../core/read-amount.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { readReason } from '../engine/spending/spend-pool.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { ownAddressRecipient } from '../rewards/address-recipients.ts'
import type { StoredLine } from '../rewards/lists.ts'
import { keepList, withFeeLimits } from '../rewards/pay-list.ts'
import { mustBePayable } from '../rewards/payable-parts.ts'
import { viewSplit } from './save-split.ts'
import { type PaySplit, type SplitPreview, type SplitView, WHOLE_SPLIT } from './splits.ts'

const WHOLE = BigInt(WHOLE_SPLIT)

/**
 * Shares a sum out according to a split, and stores the resulting lines as a list until that list is confirmed. Throws
 * TippingRefusal `split-not-found`, `split-whole-sats`, `split-part-small`, `reward-to-self`, or as `readAmount`,
 * `readReason` and `mustBePayable` do.
 */
export async function paySplit(context: TippingContext, command: PaySplit): Promise<SplitPreview> {
  const { guild, member, origin } = command
  const split = await viewSplit(context, guild, command.split)
  const reason = readReason(command.reason)
  const { minAmount: smallest, maxAmount: largest } = context.settings
  const amount = readAmount(command.amount, { smallest, largest, rates: context.rates })
  if (amount % MSATS_PER_SAT !== 0n) throw new TippingRefusal('split-whole-sats', {})
  await mustBePayable(context, command, split.parts)
  const own = await ownAddressRecipient(context.database.read, member)
  if (split.parts.some(({ recipient }) => recipient === member || recipient === own))
    throw new TippingRefusal('reward-to-self', {})
  const { shares, rest } = shareOut(amount, split)
  mustNotBeTooSmall(context, shares, split)
  const lines = split.parts.map(({ recipient, address }, at): StoredLine => {
    const line = { line: at + 1, recipient, amount: String(shares[at]), reason }
    return address === undefined ? line : { ...line, address }
  })
  const list = { guild, member, reason, lines: await withFeeLimits(context, lines), split: true as const, origin }
  const { asked, lines: kept } = await keepList(context, list)
  return {
    asked,
    total: sumOf(kept.map((line) => BigInt(line.amount))),
    feeLimit: sumOf(kept.map(({ feeLimit = '0' }) => BigInt(feeLimit))),
    lines: kept.map(({ recipient, address, amount: each }) => ({ recipient, address, amount: msats(BigInt(each)) })),
    rest,
  }
}

/**
 * Divides a sum according to a split, in whole sats, rounded down. The first part gets the remainder, so that the parts
 * add up to the sum.
 */
export function shareOut(amount: Msats, { parts }: Pick<SplitView, 'parts'>): { shares: Msats[]; rest: Msats } {
  const down = parts.map(({ share }) => ((amount / MSATS_PER_SAT) * BigInt(share)) / WHOLE)
  const rest = msats(amount - sumOf(down) * MSATS_PER_SAT)
  return { shares: down.map((sats, at) => msats(sats * MSATS_PER_SAT + (at === 0 ? rest : 0n))), rest }
}

/** Checks that no share is too small. The refusal states the sum that would be enough for all parts. */
function mustNotBeTooSmall(
  { settings: { minAmount } }: ReadonlyBook,
  shares: readonly Msats[],
  { parts }: SplitView,
): void {
  const smallest = minAmount > MSATS_PER_SAT ? minAmount : MSATS_PER_SAT
  if (shares.every((share) => share >= smallest)) return
  const sats = (smallest + MSATS_PER_SAT - 1n) / MSATS_PER_SAT
  const needed = parts.map(({ share }) => (sats * WHOLE + BigInt(share) - 1n) / BigInt(share))
  const least = needed.reduce((most, each) => (each > most ? each : most), 0n)
  throw new TippingRefusal('split-part-small', { smallest: msats(smallest), least: msats(least * MSATS_PER_SAT) })
}

function sumOf(amounts: readonly bigint[]): Msats {
  return msats(amounts.reduce((sum, amount) => sum + amount, 0n))
}
