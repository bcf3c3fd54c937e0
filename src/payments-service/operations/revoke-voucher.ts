import { operations } from '../../payments-api/payments-api.ts'
import { implement } from '../engine/http/operation.ts'
import { revokeVoucher as revoke } from '../vouchers/end-voucher.ts'
import { endedVoucherData } from '../vouchers/voucher-record.ts'

/** Revoke Voucher: takes back an unredeemed voucher of the calling project. */
export const revokeVoucher = implement(operations.revokeVoucher, ({ body, caller, parts, commit }) =>
  revoke(
    parts,
    { projectId: caller.projectId, guesser: { apiKey: caller.keyId }, code: body.code },
    (change, voucher) => commit(change, { message: 'Voucher revoked.', data: endedVoucherData(voucher) }),
  ),
)
