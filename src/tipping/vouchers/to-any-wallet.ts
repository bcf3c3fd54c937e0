import { msats } from '../../lib/money/amount.ts'
import { now, type ReadonlyBook } from '../core/context.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Voucher } from '../generated/client.ts'
import { offerToWallets } from './view-voucher.ts'
import type { VoucherForWallet, Vouchers } from './vouchers.ts'

/** How long people usually take to scan a code that they were shown. */
const SCANNED_AFTER_MS = 20_000

/** Returns a voucher's LNURL to the one member who may know its code. Showing the LNURL moves nothing. */
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

/** Returns the person who may know a voucher's code: a drop's claimant, else its recipient, else its maker. */
function ownerOf({ dropId, holder, recipient, member }: Voucher): string | null {
  return dropId === null ? (recipient ?? member) : holder
}

/** Has a voucher polled soon, because the provider does not report that a wallet has claimed it. */
async function pollSoon(context: TippingContext, id: string): Promise<void> {
  const nextAt = new Date(now(context).getTime() + SCANNED_AFTER_MS)
  const where = { id, nextAt: { gt: nextAt } }
  await context.commit({ write: (tx) => tx.pollJob.updateMany({ where, data: { nextAt } }) })
  void context.poller.wake()
}

async function cardOf({ database: { read } }: ReadonlyBook, { id, dropId, recipient, card }: Voucher) {
  if (dropId !== null) return (await read.dropClaim.findUnique({ where: { voucherId: id } }))?.card ?? card
  // Stryker disable next-line ConditionalExpression: only a gift has a card that tells its recipient, so this uses the
  // voucher's own.
  if (recipient === null) return card
  return (await read.card.findUnique({ where: { kind_record: { kind: 'voucher-gift', record: id } } }))?.id ?? card
}
