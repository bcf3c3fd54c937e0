import { msats } from '../../lib/money/amount.ts'
import { now, type ReadonlyBook } from '../core/context.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Voucher } from '../generated/client.ts'
import { offerToWallets } from './view-voucher.ts'
import type { VoucherForWallet, Vouchers } from './vouchers.ts'

/** About when somebody who was shown the code has scanned it. */
const SCANNED_AFTER_MS = 20_000

/** The LNURL of a voucher, for the one member who may know its code. Nothing moves by being shown it. */
export async function voucherToAnyWallet(
  context: TippingContext,
  { member, voucher: id }: Parameters<Vouchers['toAnyWallet']>[0],
): Promise<VoucherForWallet> {
  const voucher = await context.database.read.voucher.findUnique({ where: { id } })
  if (voucher === null || ownerOf(voucher) !== member) throw new TippingRefusal('voucher-not-found', {})
  const offer = offerToWallets(voucher)
  if (offer === undefined) throw new TippingRefusal('voucher-over', { amount: msats(voucher.amount) })
  await pollSoon(context, id)
  const { request, amount: arrives } = offer
  return { card: await cardOf(context, voucher), amount: msats(voucher.amount), arrives, request }
}

/** The person who may know its code: a drop's claimer; else its recipient, or its maker. */
function ownerOf({ dropId, holder, recipient, member }: Voucher): string | null {
  return dropId === null ? (recipient ?? member) : holder
}

/** The provider tells nobody that a wallet has claimed it. */
async function pollSoon(context: TippingContext, id: string): Promise<void> {
  const nextAt = new Date(now(context).getTime() + SCANNED_AFTER_MS)
  const where = { id, nextAt: { gt: nextAt } }
  await context.commit({ write: (tx) => tx.pollJob.updateMany({ where, data: { nextAt } }) })
  void context.poller.wake()
}

async function cardOf({ database: { read } }: ReadonlyBook, { id, dropId, recipient, card }: Voucher) {
  if (dropId !== null) return (await read.dropClaim.findUnique({ where: { voucherId: id } }))?.card ?? card
  // Stryker disable next-line ConditionalExpression: no card tells anybody of a voucher that is not a gift, so its own is taken.
  if (recipient === null) return card
  return (await read.card.findUnique({ where: { kind_record: { kind: 'voucher-gift', record: id } } }))?.id ?? card
}
