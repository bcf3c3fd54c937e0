import { ceilDivide, ceilToSat, MSATS_PER_SAT, type Msats, msats, sats } from '../../lib/money/amount.ts'

/** Fee limit for making a voucher: one percent, rounded up to a sat, which is one sat at least. */
export function voucherFeeLimit(amount: Msats): Msats {
  return ceilToSat(msats(ceilDivide(amount, 100n)))
}

/** The largest voucher, in whole sats, that a balance covers together with its fee; 0 if none. */
export function largestVoucher(balance: Msats): Msats {
  // One percent on top is a hundredth and first part. Of whole sats, it fits after rounding, too, and a sat more does not.
  return sats(((balance / MSATS_PER_SAT) * 100n) / 101n)
}
