import { msats } from '../../lib/money/amount.ts'
import type { ReadonlyBook } from '../core/context.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { Redemption, Voucher } from '../generated/client.ts'
import type { RedemptionView, VoucherState, VoucherView } from './vouchers.ts'

/** Returns a voucher's present view. Throws TippingRefusal `not-there`. */
export async function readVoucherView({ database }: ReadonlyBook, id: string): Promise<VoucherView> {
  const voucher = await database.read.voucher.findUnique({ where: { id } })
  if (voucher === null) throw new TippingRefusal('not-there', {})
  return viewVoucher(voucher)
}

/** Returns the newest vouchers that a member made individually. */
export async function listVouchers({ database }: ReadonlyBook, member: string, most: number): Promise<VoucherView[]> {
  const vouchers = await database.read.voucher.findMany({
    where: { member, dropId: null, batchId: null },
    orderBy: { createdAt: 'desc' },
    take: most,
  })
  return vouchers.map(viewVoucher)
}

export function viewVoucher(voucher: Voucher): VoucherView {
  const { id, card, member, recipient, amount, fee, feeLimit, description, code, pool, reason, createdAt } = voucher
  return {
    id,
    card,
    member,
    recipient: recipient ?? undefined,
    amount: msats(amount),
    fee: msats(fee ?? feeLimit),
    description,
    state: voucherStateOf(voucher),
    code: code ?? undefined,
    anyWallet: offerToWallets(voucher),
    fromPool: pool !== null,
    reason: reason ?? undefined,
    createdAt,
  }
}

/** Returns how any wallet can claim a voucher; undefined if that is impossible, or no longer possible. */
export function offerToWallets(voucher: Voucher): VoucherView['anyWallet'] {
  const { walletRequest: request, walletAmount } = voucher
  if (voucherStateOf(voucher) !== 'live' || request === null || walletAmount === null) return undefined
  return { request, amount: msats(walletAmount) }
}

/** Returns a voucher's state as people see it. */
export function voucherStateOf({ state, revoking }: Pick<Voucher, 'state' | 'revoking'>): VoucherState {
  if (state === 'reserved' || state === 'sending') return 'creating'
  if (state === 'live') return revoking ? 'revoking' : 'live'
  return state as VoucherState
}

/** Returns the outcome of redeeming a code. Throws TippingRefusal `not-there`. */
export async function readRedemptionView({ database }: ReadonlyBook, id: string): Promise<RedemptionView> {
  const redemption = await database.read.redemption.findUnique({ where: { id } })
  if (redemption === null) throw new TippingRefusal('not-there', {})
  const { card, member, amount } = redemption
  const state = redemption.code === null ? (redemption.state as RedemptionView['state']) : 'checking'
  return { id, card, member, state, amount: amount === null ? undefined : msats(amount) }
}

/** Returns the refusal that ended a redemption; undefined if it succeeded, or its outcome is unknown. */
export function refusalOfRedemption({ state, reason }: Redemption, code: string): TippingRefusal | undefined {
  switch (state) {
    case 'wrong':
      return new TippingRefusal('voucher-code-wrong', {})
    case 'over':
      return new TippingRefusal('voucher-code-over', { voucher: code })
    case 'failed':
      return reason === null
        ? new TippingRefusal('provider-unreachable', {})
        : new TippingRefusal('provider-refused', { message: reason })
    default:
      return undefined
  }
}
