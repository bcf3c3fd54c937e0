import type { Operations, WireOf } from '../../payments-api/payments-api.ts'
import { UNIT } from '../core/chart-of-accounts.ts'
import { type LnurlParts, voucherLnurl } from '../engine/sending/voucher-claim-record.ts'
import type { Voucher } from '../generated/client.ts'

/** A voucher as its creation shows it. Who sees it can redeem it. */
export function createdVoucherData(parts: LnurlParts, voucher: Voucher): WireOf<Operations['createVoucher']>['data'] {
  return { ...core(voucher), ...debit(voucher), fee: voucher.fee.toString(), ...withdraw(parts, voucher) }
}

/** A voucher as Retrieve Voucher shows it. */
export function voucherData(parts: LnurlParts, voucher: Voucher): WireOf<Operations['retrieveVoucher']>['data'] {
  return {
    ...endedVoucherData(voucher),
    ...debit(voucher),
    updatedAt: voucher.updatedAt?.toISOString() ?? null,
    ...withdraw(parts, voucher),
  }
}

/** A voucher as Revoke Voucher and Redeem Voucher show it. */
export function endedVoucherData(voucher: Voucher): WireOf<Operations['revokeVoucher']>['data'] {
  return {
    ...core(voucher),
    redeemedAt: voucher.redeemedAt?.toISOString() ?? null,
    redeemedById: voucher.redeemedById,
    redeemedTransactionId: voucher.redeemedTransactionId,
    revokedAt: voucher.revokedAt?.toISOString() ?? null,
    revokedById: voucher.revokedById,
    revokedTransactionId: voucher.revokedTransactionId,
  }
}

function core({ amount, code, createdAt, description, id }: Voucher) {
  return { amount: amount.toString(), code, createdAt: createdAt.toISOString(), description, id, unit: UNIT } as const
}

/** How any wallet redeems it, while that can be done. */
function withdraw(parts: LnurlParts, voucher: Voucher) {
  const { walletSecret, walletAmount, redeemedAt, revokedAt } = voucher
  if (walletSecret === null || walletAmount === null || redeemedAt !== null || revokedAt !== null) return {}
  return { withdraw: { amount: walletAmount.toString(), ...voucherLnurl(parts, walletSecret) } }
}

function debit({ createTransactionId, projectId }: Voucher) {
  return { createTransactionId, walletId: projectId }
}
