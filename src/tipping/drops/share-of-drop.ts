import { ceilToSat, floorToSat, type Msats, msats, sats } from '../../lib/money/amount.ts'
import { isRelative, readAmount } from '../core/read-amount.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { voucherFeeLimit } from '../vouchers/voucher-fee.ts'
import type { DropCommand } from './drops.ts'

/**
 * Returns one share: the pot divided by the number of shares, rounded down to a sat. If the amount is all or a part of
 * the balance, the codes' fees are paid from it, too. Without a balance, such an amount is refused. Throws
 * TippingRefusal `amount-…` or `insufficient-funds`.
 */
export function shareOfDrop(
  { settings, rates }: Pick<TippingContext, 'settings' | 'rates'>,
  command: Pick<DropCommand, 'amount' | 'shares' | 'codes'>,
  balance?: Msats,
): Msats {
  const parts = BigInt(command.shares)
  const least = ceilToSat(settings.minAmount)
  const smallest = msats(least * parts)
  const limits = { smallest, largest: settings.maxAmount, parts: command.shares, rates }
  const whole = readAmount(command.amount, limits, balance)
  let share = floorToSat(msats(whole / parts))
  if (!command.codes || !isRelative(command.amount)) return share
  while (share > least && (share + voucherFeeLimit(share)) * parts > whole) share = msats(share - sats(1))
  return share
}

/** Returns what a drop costs its owner's balance: the shares, and the highest possible fees of the codes. */
export function costOfDrop({ codes, shares }: Pick<DropCommand, 'codes' | 'shares'>, share: Msats) {
  const feeLimit = msats(codes ? voucherFeeLimit(share) * BigInt(shares) : 0n)
  return { feeLimit, needed: msats(share * BigInt(shares) + feeLimit) }
}

/** Returns the refusal of a drop that its owner's balance does not cover. */
export function tooLittleForDrop(command: DropCommand, share: Msats, balance: Msats): TippingRefusal {
  const { feeLimit, needed } = costOfDrop(command, share)
  const missing = msats(needed - balance)
  return command.codes
    ? new TippingRefusal('insufficient-with-fee', { balance, needed, missing, feeLimit })
    : new TippingRefusal('insufficient-funds', { balance, needed, missing })
}
