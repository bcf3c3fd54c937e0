import type { Operations, WireOf } from '../../payments-api/payments-api.ts'
import { UNIT } from '../core/chart-of-accounts.ts'
import type { Voucher } from '../generated/client.ts'

/** The operation of the journal that a voucher's money belongs to: `reserve`, then `post` (redeemed) or `void` (revoked). */
export function operationOfVoucher(id: string): string {
  return `voucher:${id}`
}

/** A voucher as its creation shows it. */
export function createdVoucherData(voucher: Voucher): WireOf<Operations['createVoucher']>['data'] {
  return { ...core(voucher), ...debit(voucher), fee: voucher.fee.toString() }
}

/** A voucher as Retrieve Voucher shows it. */
export function voucherData(voucher: Voucher): WireOf<Operations['retrieveVoucher']>['data'] {
  return { ...endedVoucherData(voucher), ...debit(voucher), updatedAt: voucher.updatedAt?.toISOString() ?? null }
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

function debit({ createTransactionId, projectId }: Voucher) {
  return { createTransactionId, walletId: projectId }
}
