import { operations } from '../../payments-api/payments-api.ts'
import { ServiceRefusal } from '../core/service-refusal.ts'
import { implement } from '../engine/http/operation.ts'
import { voucherData } from '../vouchers/voucher-record.ts'

/** Retrieve Voucher: reports whether one of the calling project's vouchers is valid, redeemed or revoked. */
export const retrieveVoucher = implement(operations.retrieveVoucher, async ({ params, caller, parts }) => {
  const voucher = await parts.database.read.voucher.findFirst({
    where: { id: params.voucherId, projectId: caller.projectId },
  })
  if (voucher === null)
    throw new ServiceRefusal(
      'voucher_not_found',
      'This project has no voucher with this id. Check the id and the API key.',
    )
  return { message: 'Voucher retrieved.', data: voucherData(parts, voucher) }
})
