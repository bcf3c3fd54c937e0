import { ceilDivide, ceilToSat, MSATS_PER_SAT, type Msats, msats, sats, ZERO } from '../../lib/amount.ts'

/** What making a voucher may cost at most: one sat or one percent, whichever is more, rounded up to a sat. */
export function voucherFeeLimit(amount: Msats): Msats {
  const percent = ceilToSat(msats(ceilDivide(amount, 100n)))
  return percent > sats(1) ? percent : sats(1)
}

/** The largest voucher, in whole sats, that a balance covers together with its fee; 0 if none. */
export function largestVoucher(balance: Msats): Msats {
  let largest = ZERO
  // One percent on top is a hundredth and first part; the rounding makes it a sat less at most.
  for (let whole = (balance * 100n) / 101n / MSATS_PER_SAT; whole > 0n; whole -= 1n) {
    largest = sats(whole)
    if (largest + voucherFeeLimit(largest) <= balance) return largest
  }
  return ZERO
}
