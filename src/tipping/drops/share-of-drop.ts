import { ceilToSat, floorToSat, type Msats, msats, sats } from '../../lib/amount.ts'
import { isRelative, readAmount } from '../amounts/read-amount.ts'
import type { TippingContext } from '../context.ts'
import { Refusal } from '../refusal.ts'
import { voucherFeeLimit } from '../vouchers/voucher-fee.ts'
import type { DropCommand } from './drops.ts'

/**
 * The pot split by the shares, rounded down to a sat. The codes' fees come on top; `all` of a balance leaves room for
 * them. Throws Refusal `amount-…`.
 */
export function shareOfDrop(
  { settings, rates }: Pick<TippingContext, 'settings' | 'rates'>,
  command: Pick<DropCommand, 'amount' | 'shares' | 'codes'>,
  balance: Msats,
): Msats {
  const parts = BigInt(command.shares)
  const least = ceilToSat(settings.minAmount)
  const smallest = msats(least * parts)
  const whole = readAmount(command.amount, { smallest, largest: settings.maxAmount, rates }, balance)
  let share = floorToSat(msats(whole / parts))
  if (!command.codes || !isRelative(command.amount)) return share
  while (share > least && (share + voucherFeeLimit(share)) * parts > whole) share = msats(share - sats(1))
  return share
}

/** What is said of a drop that its owner's balance does not cover. */
export function tooLittleForDrop({ codes, shares }: DropCommand, share: Msats, missing: Msats): Refusal {
  const feeLimit = msats(codes ? voucherFeeLimit(share) * BigInt(shares) : 0n)
  const needed = msats(share * BigInt(shares) + feeLimit)
  const balance = msats(needed - missing)
  return codes
    ? new Refusal('insufficient-with-fee', { balance, needed, missing, feeLimit })
    : new Refusal('insufficient-funds', { balance, needed, missing })
}
