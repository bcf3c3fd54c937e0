import { feeLimit, formatSats, largestSendable, type Msats } from '../../lib/money/amount.ts'
import { ServiceRefusal } from '../core/service-refusal.ts'
import { refuseAboveMaximum } from '../engine/node/amount-limits.ts'
import type { ServiceParts } from '../engine/service-parts.ts'

type FeeParts = Pick<ServiceParts, 'backend' | 'settings'>

/**
 * Returns a payout's fee limit, which is also reserved: the node's tariff if it has one, else the caller's limit, else
 * max(10 sats, the operator's percentage, rounded up). Throws ServiceRefusal: amount_too_high for a limit above the
 * operator's maximum (the limit is held together with the amount, and an impossible sum would overflow), and
 * not_offered for a limit that this node would not respect.
 */
export function feeLimitOf(parts: FeeParts, amount: Msats, maxFee: Msats | undefined): Msats {
  const usual = usualFeeLimit(parts, amount)
  if (maxFee === undefined) return usual
  refuseAboveMaximum(parts, maxFee)
  if (parts.backend.capabilities.feeLimit === 'exact') return maxFee
  if (maxFee >= usual) return parts.backend.capabilities.feeLimit === 'tariff' ? usual : maxFee
  throw new ServiceRefusal(
    'not_offered',
    `The Lightning node of this service does not support fee limits. Sending this amount may cost ${formatSats(usual)} sats: set "maxFee" to at least ${usual} msats, or leave it out.`,
  )
}

/**
 * Returns the largest amount (whole sats, in msats) that a balance covers together with the reserved fee; 0 if there is
 * none.
 */
export function largestPayable(parts: FeeParts, balance: Msats): Msats {
  return largestSendable(balance, (amount) => usualFeeLimit(parts, amount))
}

/**
 * Returns the part of a voucher that a wallet elsewhere gets (whole sats, in msats). The voucher pays the fee, so the
 * fee cannot affect another balance. Returns undefined if less than half of the voucher would arrive: then only the
 * code redeems the voucher.
 */
export function walletAmountOf(parts: FeeParts, amount: Msats): Msats | undefined {
  const arrives = largestPayable(parts, amount)
  return arrives * 2n >= amount ? arrives : undefined
}

/** Whether a fee limit still covers what a payment may cost, because the node's tariff may have risen. */
export function mayCost(parts: FeeParts, amount: Msats, maxFee: Msats): boolean {
  return parts.backend.capabilities.feeLimit === 'exact' || maxFee >= usualFeeLimit(parts, amount)
}

function usualFeeLimit({ backend, settings }: FeeParts, amount: Msats): Msats {
  return backend.tariff(amount) ?? feeLimit(amount, settings.feeLimitPercent)
}
