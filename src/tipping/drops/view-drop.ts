import { type Msats, msats, ZERO } from '../../lib/money/amount.ts'
import type { ReadonlyBook } from '../core/context.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { viewWalletShare } from '../engine/own-wallets/view-wallet-share.ts'
import { showPayout } from '../engine/payouts/payout-shown.ts'
import { reasonOf } from '../engine/spending/reason.ts'
import type { Drop, Voucher } from '../generated/client.ts'
import { offerToWallets } from '../vouchers/view-voucher.ts'
import type { DropClaimView, DropView, PuzzleKind } from './drops.ts'

/** Returns a drop's present view. Throws TippingRefusal `not-there`. */
export async function viewDrop(context: ReadonlyBook, id: string): Promise<DropView> {
  const { read } = context.database
  const drop = await read.drop.findUnique({ where: { id } })
  if (drop === null) throw new TippingRefusal('not-there', {})
  const [entered, winners, back, payments] = await Promise.all([
    drop.draw ? read.dropClaim.count({ where: { dropId: id } }) : 0,
    read.dropClaim.findMany({
      where: { dropId: id, state: 'given' },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    }),
    drop.codes ? read.voucher.count({ where: { dropId: id, state: { in: ['revoked', 'failed'] }, holder: null } }) : 0,
    drop.connection === null ? [] : read.walletPayment.findMany({ where: { tipId: id }, orderBy: { ordinal: 'asc' } }),
  ])
  const { puzzle, question } = drop
  return {
    id,
    card: drop.card,
    member: drop.member,
    share: msats(drop.share),
    shares: drop.shares,
    claimed: drop.claimed,
    state: drop.state as DropView['state'],
    draw: drop.draw,
    codes: drop.codes,
    puzzle: question === null ? undefined : { kind: puzzle as PuzzleKind, question },
    role: drop.role ?? undefined,
    accountDays: drop.accountDays ?? undefined,
    memberDays: drop.memberDays ?? undefined,
    closesAt: drop.closesAt,
    closedBy: drop.closedBy ?? undefined,
    entered,
    winners: winners.map(({ member }) => member),
    payments: drop.connection === null ? undefined : payments.map(viewWalletShare),
    returned: returned(drop, back),
    reason: drop.pool === null ? undefined : await reasonOf(context, id),
  }
}

/** Returns a member's own open drops, newest first. */
export async function openDropsOf(context: ReadonlyBook, member: string, most: number): Promise<DropView[]> {
  const open = await context.database.read.drop.findMany({
    where: { member, state: 'open' },
    orderBy: { createdAt: 'desc' },
    take: most,
  })
  return await Promise.all(open.map(({ id }) => viewDrop(context, id)))
}

function returned({ state, codes, share, shares, claimed }: Drop, codesBack: number): Msats {
  if (state === 'open') return ZERO
  return msats(share * BigInt(codes ? codesBack : shares - claimed))
}

/** Returns one person's part in a drop. Throws TippingRefusal `not-there`. */
export async function viewDropClaim({ database }: ReadonlyBook, id: string): Promise<DropClaimView> {
  const { read } = database
  const claim = await read.dropClaim.findUnique({ where: { id }, include: { drop: true, voucher: true } })
  if (claim === null) throw new TippingRefusal('not-there', {})
  const payout = await read.payout.findUnique({ where: { cause: id } })
  const payment = await read.walletPayment.findUnique({ where: { id } })
  return {
    id,
    card: claim.card,
    drop: claim.dropId,
    owner: claim.drop.member,
    member: claim.member,
    amount: msats(claim.drop.share),
    chance: claim.state as DropClaimView['chance'],
    voucher: claim.voucher === null ? undefined : viewShare(claim.voucher),
    payment: payment === null ? undefined : viewWalletShare(payment),
    fromPool: claim.drop.pool !== null,
    ...showPayout(payout ?? undefined),
  }
}

function viewShare(voucher: Voucher): DropClaimView['voucher'] {
  return { id: voucher.id, code: voucher.code ?? undefined, anyWallet: offerToWallets(voucher) !== undefined }
}
