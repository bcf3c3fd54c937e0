import { token } from '../../lib/entropy.ts'
import { ceilDivide, type Msats, msats, sats } from '../../lib/money/amount.ts'
import { ServiceRefusal } from '../core/service-refusal.ts'
import { refuseAboveMaximum } from '../engine/node/amount-limits.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import type { Voucher } from '../generated/client.ts'
import { walletAmountOf } from '../payments/fee-limit.ts'
import { newVoucherCode } from './voucher-code.ts'
import { isExpired } from './voucher-expiry.ts'

/** The terms that new vouchers share. */
export interface VoucherTerms {
  readonly projectId: string
  /** The amount of each voucher. */
  readonly amount: Msats
  readonly description: string
  readonly expiresAt: Date | null
  /** The id of the debit that pays for the vouchers. */
  readonly createTransactionId: string
}

/**
 * Returns new vouchers, each with its own code and, if wallets elsewhere can redeem it, its own secret. Writes nothing.
 * Throws ServiceRefusal (amount_too_high, invalid_field).
 */
export async function newVouchers(parts: ServiceParts, terms: VoucherTerms, count: number): Promise<Voucher[]> {
  refuseAboveMaximum(parts, terms.amount)
  if (isExpired(parts, terms)) {
    throw new ServiceRefusal('invalid_field', 'expiresAt is in the past. Give a later time, or leave expiresAt out.')
  }
  const walletAmount = walletAmountOf(parts, terms.amount)
  const createdAt = new Date(parts.clock.now())
  return (await freshCodes(parts, count)).map((code) => ({
    ...{ ...terms, id: parts.entropy.uuid(), code, fee: voucherFee(terms.amount), createdAt, updatedAt: null },
    ...{ redeemedAt: null, redeemedById: null, redeemedTransactionId: null },
    ...{ revokedAt: null, revokedById: null, revokedTransactionId: null },
    walletSecret: walletAmount === undefined ? null : token(parts.entropy),
    walletAmount: walletAmount ?? null,
  }))
}

/** Returns 1 % of the amount, rounded up to a msat, but at least one sat. */
function voucherFee(amount: Msats): Msats {
  const share = msats(ceilDivide(amount, 100n))
  return share > sats(1) ? share : sats(1)
}

/** Returns codes that no voucher has had yet. The database's unique index rules out a duplicate in the end. */
async function freshCodes({ database, entropy }: ServiceParts, count: number): Promise<string[]> {
  const codes = new Set<string>()
  while (codes.size < count) {
    while (codes.size < count) codes.add(newVoucherCode(entropy))
    const taken = await database.read.voucher.findMany({ where: { code: { in: [...codes] } }, select: { code: true } })
    for (const { code } of taken) codes.delete(code)
  }
  return [...codes]
}
