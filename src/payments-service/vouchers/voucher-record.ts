import type { Operations, WireOf } from '../../payments-api/payments-api.ts'
import { UNIT } from '../core/chart-of-accounts.ts'
import { type LnurlParts, voucherLnurl } from '../engine/sending/voucher-claim-record.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import type { Voucher } from '../generated/client.ts'
import { isEnded, isExpired } from './voucher-expiry.ts'

type VoucherParts = LnurlParts & Pick<ServiceParts, 'bookClock'>

/** Converts a voucher to the form of Create Voucher. Anybody who reads the code can redeem the voucher. */
export function createdVoucherData(parts: VoucherParts, voucher: Voucher): WireOf<Operations['createVoucher']>['data'] {
  return { ...core(voucher), ...debit(voucher), fee: voucher.fee.toString(), ...withdraw(parts, voucher) }
}

/** Converts the vouchers of a batch, of which there is at least one, to the form of Create Vouchers. */
export function voucherBatchData(
  parts: VoucherParts,
  vouchers: readonly Voucher[],
): WireOf<Operations['createVoucherBatch']>['data'] {
  const [first] = vouchers as readonly [Voucher, ...Voucher[]]
  const { amount, description, createdAt, expiresAt, unit } = core(first)
  const count = vouchers.length
  const fee = first.fee * BigInt(count)
  return {
    ...debit(first),
    ...{ unit, count, amount, fee: fee.toString(), total: (first.amount * BigInt(count) + fee).toString() },
    ...{ description, createdAt, expiresAt },
    vouchers: vouchers.map((voucher) => ({ id: voucher.id, code: voucher.code, ...withdraw(parts, voucher) })),
  }
}

/** Converts a voucher to the form of Retrieve Voucher. */
export function voucherData(parts: VoucherParts, voucher: Voucher): WireOf<Operations['retrieveVoucher']>['data'] {
  return {
    ...endedVoucherData(voucher),
    ...debit(voucher),
    updatedAt: voucher.updatedAt?.toISOString() ?? null,
    ...withdraw(parts, voucher),
  }
}

/** Converts a voucher to the form of Revoke Voucher and Redeem Voucher. */
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

function core({ amount, code, createdAt, description, expiresAt, id }: Voucher) {
  const times = { createdAt: createdAt.toISOString(), expiresAt: expiresAt?.toISOString() ?? null }
  return { amount: amount.toString(), code, description, id, unit: UNIT, ...times } as const
}

/** Describes how any wallet can redeem a voucher; empty while that is impossible. */
function withdraw(parts: VoucherParts, voucher: Voucher) {
  const { walletSecret, walletAmount } = voucher
  if (walletSecret === null || walletAmount === null || isEnded(voucher) || isExpired(parts, voucher)) return {}
  return { withdraw: { amount: walletAmount.toString(), ...voucherLnurl(parts, walletSecret) } }
}

function debit({ createTransactionId, projectId }: Voucher) {
  return { createTransactionId, walletId: projectId }
}
