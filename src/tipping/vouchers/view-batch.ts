import { msats } from '../../lib/money/amount.ts'
import type { ReadonlyBook } from '../core/context.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { reasonOf } from '../engine/spending/reason.ts'
import { viewVoucher, voucherStateOf } from './view-voucher.ts'
import type { BatchCode, VoucherBatches, VoucherBatchView } from './voucher-batches.ts'
import type { VoucherState } from './vouchers.ts'

const NONE: Readonly<Record<VoucherState, number>> = {
  ...{ creating: 0, unknown: 0, failed: 0, live: 0, revoking: 0, redeemed: 0, revoked: 0 },
}

/** Returns a batch's present view. Throws TippingRefusal `not-there`. */
export async function viewBatch(context: ReadonlyBook, id: string): Promise<VoucherBatchView> {
  const { read } = context.database
  const batch = await read.voucherBatch.findUnique({ where: { id } })
  if (batch === null) throw new TippingRefusal('not-there', {})
  const where = { batchId: id }
  const counted = await read.voucher.groupBy({ by: ['state', 'revoking', 'fee', 'feeLimit'], where, _count: true })
  const codes = { ...NONE }
  let fee = 0n
  for (const { _count, ...code } of counted) {
    const state = voucherStateOf(code)
    codes[state] += _count
    if (state !== 'failed') fee += (code.fee ?? code.feeLimit) * BigInt(_count)
  }
  const { card, member, count, description, createdAt } = batch
  return {
    ...{ id, card, member, count, description, codes, createdAt },
    amount: msats(batch.amount),
    fee: msats(fee),
    reason: batch.pool === null ? undefined : await reasonOf(context, id),
    state: batch.state as VoucherBatchView['state'],
    expiresAt: batch.expiresAt ?? undefined,
  }
}

/** Returns a member's own batch. Throws TippingRefusal `voucher-not-found`. */
export async function viewOwnBatch(
  context: ReadonlyBook,
  { member, batch: id }: Parameters<VoucherBatches['own']>[0],
): Promise<VoucherBatchView> {
  const own = await context.database.read.voucherBatch.findFirst({ where: { id, member }, select: { id: true } })
  if (own === null) throw new TippingRefusal('voucher-not-found', {})
  return await viewBatch(context, id)
}

/** Returns the newest batches that a member made. */
export async function listBatches(context: ReadonlyBook, member: string, most: number): Promise<VoucherBatchView[]> {
  const batches = await context.database.read.voucherBatch.findMany({
    where: { member },
    orderBy: { createdAt: 'desc' },
    take: most,
    select: { id: true },
  })
  return await Promise.all(batches.map(({ id }) => viewBatch(context, id)))
}

/** Returns the codes of a member's own batch, by number. Throws TippingRefusal `voucher-not-found`. */
export async function codesOfBatch(
  { database: { read } }: ReadonlyBook,
  { member, batch }: Parameters<VoucherBatches['codes']>[0],
): Promise<BatchCode[]> {
  const vouchers = await read.voucher.findMany({
    where: { batch: { id: batch, member } },
    orderBy: { number: 'asc' },
  })
  if (vouchers.length === 0) throw new TippingRefusal('voucher-not-found', {})
  return vouchers.map((voucher) => {
    const { id, amount, state, code, anyWallet } = viewVoucher(voucher)
    return { id, amount, state, code, anyWallet, number: voucher.number ?? 0 }
  })
}
