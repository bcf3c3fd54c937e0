import { msats } from '../../lib/money/amount.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { WalletFailure } from '../engine/own-wallets/wallet-payments.ts'
import { showPayout } from '../engine/payouts/payout-shown.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Payout, TipShare as StoredShare, WalletPayment } from '../generated/client.ts'
import type { TipShare, TipView, WalletShareState } from './tips.ts'

/** A tip as it stands. Throws TippingRefusal `not-there`. */
export async function viewTip({ database }: TippingContext, id: string): Promise<TipView> {
  const tip = await database.read.tip.findUnique({
    where: { id },
    include: { shares: { orderBy: { ordinal: 'asc' } }, wallets: { orderBy: { ordinal: 'asc' } } },
  })
  if (tip === null) throw new TippingRefusal('not-there', {})
  // Stryker disable next-line ObjectLiteral: spares reading other rows: each is looked up by its name afterwards, and the others are left alone.
  const payouts = await database.read.payout.findMany({ where: { cause: { in: tip.shares.map((share) => share.id) } } })
  const byShare = new Map(payouts.map((payout) => [payout.cause, payout]))
  return {
    id: tip.id,
    card: tip.card,
    from: tip.sender,
    note: tip.note,
    total: msats(tip.total),
    shares: [
      ...tip.shares.map((share) => viewShare(share, byShare.get(share.id))),
      ...tip.wallets.map((payment) => viewWalletShare(payment)),
    ],
    fromPool: tip.pool !== null,
    createdAt: tip.createdAt,
  }
}

/** A share as it stands, with the payout that followed it, if any. */
export function viewShare(share: StoredShare, payout: Payout | undefined): TipShare {
  const about = { recipient: share.recipient, amount: msats(share.amount) }
  switch (share.state) {
    case 'parked':
      return { ...about, state: 'parked', until: share.until ?? undefined }
    case 'claimed':
    case 'returned':
      return { ...about, state: share.state }
    default:
      return { ...about, ...showPayout(payout) }
  }
}

const WALLET_STATES: Readonly<Record<string, WalletShareState>> = {
  asked: 'asked',
  paying: 'asked',
  unknown: 'unsure',
  paid: 'direct',
  failed: 'unpaid',
  unconfirmed: 'unconfirmed',
}

/** A share that the giver's own wallet pays. */
function viewWalletShare({ recipient, amount, state, failure }: WalletPayment): TipShare {
  return {
    ...{ recipient, amount: msats(amount), state: WALLET_STATES[state] ?? 'unsure' },
    ...(failure !== null && { failure: failure as WalletFailure }),
  }
}
