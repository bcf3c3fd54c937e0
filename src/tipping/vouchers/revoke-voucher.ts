import { msats } from '../../lib/money/amount.ts'
import { within } from '../core/activity.ts'
import { now, type ReadonlyBook } from '../core/context.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Voucher } from '../generated/client.ts'
import { pollVoucher } from './poll-voucher.ts'
import { viewVoucher } from './view-voucher.ts'
import type { Vouchers, VoucherView } from './vouchers.ts'

/**
 * Returns a voucher that this member made individually, not in a drop or batch. Throws TippingRefusal
 * `voucher-not-found`.
 */
async function ownVoucher(context: ReadonlyBook, { member, voucher: id }: { member: string; voucher: string }) {
  const voucher = await context.database.read.voucher.findFirst({ where: { id, member, dropId: null, batchId: null } })
  if (voucher === null) throw new TippingRefusal('voucher-not-found', {})
  return voucher
}

/**
 * Takes a voucher back. The request is written first, so it is repeated until the provider reports that the voucher was
 * revoked, or that somebody redeemed it first.
 */
export async function revokeVoucher(
  context: TippingContext,
  command: Parameters<Vouchers['revoke']>[0],
): Promise<VoucherView> {
  const { id, amount } = await ownVoucher(context, command)
  const { count } = await context.commit({
    write: (tx) =>
      tx.voucher.updateMany({ where: { id, state: 'live' }, data: { revoking: true, revokeAskedAt: now(context) } }),
  })
  if (count === 0) throw new TippingRefusal('voucher-over', { amount: msats(amount) })
  return await pollNow(context, id)
}

/** Returns a voucher's state, read from the provider if the voucher is live. */
export async function voucherStatus(
  context: TippingContext,
  command: Parameters<Vouchers['status']>[0],
): Promise<VoucherView> {
  const voucher = await ownVoucher(context, command)
  return voucher.state === 'live' ? await pollNow(context, voucher.id) : viewVoucher(voucher)
}

/** Polls a voucher out of turn, and waits a moment for the result. */
async function pollNow(context: TippingContext, id: string): Promise<VoucherView> {
  const { read } = context.database
  await context.commit({ write: (tx) => tx.pollJob.updateMany({ where: { id }, data: { nextAt: now(context) } }) })
  const job = await read.pollJob.findUniqueOrThrow({ where: { id } })
  const polled = context.activity.run('poll voucher', () => pollVoucher(context, job))
  await within(context.clock, polled, context.settings.payoutTimeoutMs)
  void context.poller.wake()
  return viewVoucher((await read.voucher.findUniqueOrThrow({ where: { id } })) as Voucher)
}
