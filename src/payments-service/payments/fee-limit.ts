import { feeLimit, formatSats, largestSendable, type Msats } from '../../lib/money/amount.ts'
import { ServiceRefusal } from '../core/service-refusal.ts'
import { refuseAboveMaximum } from '../engine/node/amount-limits.ts'
import type { ServiceParts } from '../engine/service-parts.ts'

type FeeParts = Pick<ServiceParts, 'backend' | 'settings'>

/**
 * Fee limit of a payout, which is also reserved: the node's tariff where it has one, else the caller's, else max(10
 * sats, the operator's percentage, rounded up). Throws ServiceRefusal: amount_too_high for a limit above what the
 * operator lets pass at once (with the amount it is held, and what nobody could hold would overflow), and not_offered
 * for a limit that this node would not keep to.
 */
export function feeLimitOf(parts: FeeParts, amount: Msats, maxFee: Msats | undefined): Msats {
  const usual = usualFeeLimit(parts, amount)
  if (maxFee === undefined) return usual
  refuseAboveMaximum(parts, maxFee)
  if (parts.backend.capabilities.feeLimit === 'exact') return maxFee
  if (maxFee >= usual) return parts.backend.capabilities.feeLimit === 'tariff' ? usual : maxFee
  throw new ServiceRefusal(
    'not_offered',
    `The Lightning node of this service takes no fee limit. Sending this amount may cost ${formatSats(usual)} sats: allow as much as "maxFee" (${usual} msats), or leave it out.`,
  )
}

/** The largest amount (whole sats, in msats) that a balance covers together with what is reserved for its fee; 0: none. */
export function largestPayable(parts: FeeParts, balance: Msats): Msats {
  return largestSendable(balance, (amount) => usualFeeLimit(parts, amount))
}

/**
 * The part of a voucher that a wallet elsewhere gets (whole sats, in msats): the voucher pays for the way, so it can
 * touch nobody else's balance. Undefined where less than half of it would arrive: then only the code redeems it.
 */
export function walletAmountOf(parts: FeeParts, amount: Msats): Msats | undefined {
  const arrives = largestPayable(parts, amount)
  return arrives * 2n >= amount ? arrives : undefined
}

/** Whether a payment may cost no more than this, as the node stands now: its tariff may have risen. */
export function mayCost(parts: FeeParts, amount: Msats, maxFee: Msats): boolean {
  return parts.backend.capabilities.feeLimit === 'exact' || maxFee >= usualFeeLimit(parts, amount)
}

function usualFeeLimit({ backend, settings }: FeeParts, amount: Msats): Msats {
  return backend.tariff(amount) ?? feeLimit(amount, settings.feeLimitPercent)
}
