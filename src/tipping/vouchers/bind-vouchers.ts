import type { TippingContext } from '../engine/tipping-context.ts'
import { createBatch, createBatchFromPool } from './create-batch.ts'
import { createVoucher, createVoucherFromPool } from './create-voucher.ts'
import { endBatch } from './poll-batch.ts'
import { redeemVoucher } from './redeem-voucher.ts'
import { revokeVoucher, voucherStatus } from './revoke-voucher.ts'
import { voucherToAnyWallet } from './to-any-wallet.ts'
import { codesOfBatch, listBatches, viewBatch, viewOwnBatch } from './view-batch.ts'
import { listVouchers, readRedemptionView, readVoucherView } from './view-voucher.ts'
import type { VoucherBatches } from './voucher-batches.ts'
import type { Vouchers } from './vouchers.ts'

/** Binds the verbs of vouchers and of voucher batches to the context. */
export function bindVouchers(context: TippingContext): {
  readonly vouchers: Vouchers
  readonly voucherBatches: VoucherBatches
} {
  return {
    vouchers: {
      get offered() {
        return context.replaysKeys()
      },
      create: (command) => createVoucher(context, command),
      createFromPool: (command) => createVoucherFromPool(context, command),
      redeem: (command) => redeemVoucher(context, command),
      revoke: (command) => revokeVoucher(context, command),
      view: (id) => readVoucherView(context, id),
      status: (command) => voucherStatus(context, command),
      toAnyWallet: (command) => voucherToAnyWallet(context, command),
      mine: (member, most) => listVouchers(context, member, most),
      redemption: (id) => readRedemptionView(context, id),
    },
    voucherBatches: {
      create: (command) => createBatch(context, command),
      createFromPool: (command) => createBatchFromPool(context, command),
      view: (id) => viewBatch(context, id),
      own: (command) => viewOwnBatch(context, command),
      mine: (member, most) => listBatches(context, member, most),
      codes: (command) => codesOfBatch(context, command),
      end: (command) => endBatch(context, command),
    },
  }
}
