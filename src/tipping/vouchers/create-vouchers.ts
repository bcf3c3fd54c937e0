import type { TippingContext } from '../context.ts'
import { createVoucher } from './create-voucher.ts'
import { redeemVoucher } from './redeem-voucher.ts'
import { revokeVoucher, voucherStatus } from './revoke-voucher.ts'
import { listVouchers, readRedemptionView, readVoucherView } from './view-voucher.ts'
import type { Vouchers } from './vouchers.ts'

/** The vouchers' API. */
export function createVouchers(context: TippingContext): Vouchers {
  return {
    get offered() {
      return context.replaysKeys()
    },
    create: (command) => createVoucher(context, command),
    redeem: (command) => redeemVoucher(context, command),
    revoke: (command) => revokeVoucher(context, command),
    view: (id) => readVoucherView(context, id),
    status: (command) => voucherStatus(context, command),
    mine: (member, most) => listVouchers(context, member, most),
    redemption: (id) => readRedemptionView(context, id),
  }
}
