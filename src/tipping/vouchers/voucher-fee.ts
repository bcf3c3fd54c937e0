import { ceilDivide, ceilToSat, MSATS_PER_SAT, type Msats, msats, sats } from '../../lib/money/amount.ts'

/** Returns the fee limit for making a voucher: one percent, rounded up to whole sats, so at least one sat. */
export function voucherFeeLimit(amount: Msats): Msats {
  return ceilToSat(msats(ceilDivide(amount, 100n)))
}

/** Returns the largest voucher, in whole sats, that a balance covers with its fee; 0 if there is none. */
export function largestVoucher(balance: Msats): Msats {
  // The voucher with one percent on top is 101 hundredths of it. In whole sats this still fits after rounding up, and a
  // sat more does not.
  return sats(((balance / MSATS_PER_SAT) * 100n) / 101n)
}
