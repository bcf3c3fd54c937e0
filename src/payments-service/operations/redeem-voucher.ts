import { operations } from '../../payments-api/payments-api.ts'
import { implement } from '../engine/http/operation.ts'
import { redeemVoucher as redeem } from '../vouchers/end-voucher.ts'
import { endedVoucherData } from '../vouchers/voucher-record.ts'

/** Redeem Voucher (additive): credits a voucher's amount to the calling project, no matter who made the voucher. */
export const redeemVoucher = implement(operations.redeemVoucher, ({ body, caller, parts, commit }) =>
  redeem(
    parts,
    { redeemer: { kind: 'project', id: caller.projectId }, guesser: { apiKey: caller.keyId }, code: body.code },
    (change, voucher) => commit(change, { message: 'Voucher redeemed.', data: endedVoucherData(voucher) }),
  ),
)
