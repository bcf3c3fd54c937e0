import { ceilToSat, floorToSat, type Msats, msats } from '../../../lib/money/amount.ts'
import { type AmountLimits, isRelative, readAmount } from '../../core/read-amount.ts'
import type { TipCommand } from './gifts.ts'

/**
 * Returns the amount for each recipient, in msats. Always splits `all` and `half` of a balance. A split share is a
 * whole number of sats, and the remainder stays with the giver.
 */
export function splitAmount(
  command: Pick<TipCommand, 'amount' | 'split'>,
  recipients: number,
  limits: AmountLimits,
  balance?: Msats,
): Msats {
  if (recipients === 1 || !(command.split || isRelative(command.amount))) {
    return readAmount(command.amount, limits, balance)
  }
  // The limits apply to each share, so those of the total are that many times larger.
  const parts = BigInt(recipients)
  const smallest = msats(ceilToSat(limits.smallest) * parts)
  const largest = msats(limits.largest * parts)
  const shared = { ...limits, smallest, largest, parts: recipients }
  return floorToSat(msats(readAmount(command.amount, shared, balance) / parts))
}
