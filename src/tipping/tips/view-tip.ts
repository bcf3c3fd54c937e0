import { msats } from '../../lib/money/amount.ts'
import type { ReadonlyBook } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { PromiseHindrance } from '../engine/own-wallets/promise-book.ts'
import { viewWalletShare } from '../engine/own-wallets/view-wallet-share.ts'
import { showPayout } from '../engine/payouts/payout-shown.ts'
import type { Card, Payout, TipShare as StoredShare, Tip, WalletPayment, WalletPromise } from '../generated/client.ts'
import type { JoinView, TipShare, TipView } from './tips.ts'

/** Returns a tip's present view. Throws TippingRefusal `not-there`. */
export async function viewTip({ database }: ReadonlyBook, id: string): Promise<TipView> {
  const tip = await database.read.tip.findUnique({
    where: { id },
    include: { shares: { orderBy: { ordinal: 'asc' } }, wallets: { orderBy: { ordinal: 'asc' } } },
  })
  if (tip === null) throw new TippingRefusal('not-there', {})
  // Stryker disable next-line ObjectLiteral: avoids reading other rows. Each is looked up by name afterwards, and the
  // others are ignored.
  const [payouts, card] = await Promise.all([
    database.read.payout.findMany({ where: { cause: { in: tip.shares.map((share) => share.id) } } }),
    database.read.card.findUnique({ where: { id: tip.card } }),
  ])
  const join = await viewJoin(database.read, tip, card)
  // Gifts from a wallet use nothing else.
  const promises = tip.shares.length > 0 ? [] : await openPromises(database.read, id)
  const byShare = new Map(payouts.map((payout) => [payout.cause, payout]))
  return {
    id: tip.id,
    key: card?.interaction ?? tip.id,
    card: tip.card,
    from: tip.anonymous ? undefined : tip.sender,
    note: tip.note,
    total: msats(tip.total),
    shares: [
      ...tip.shares.map((share) => viewShare(share, byShare.get(share.id))),
      ...tip.wallets.map((payment) => viewWalletShare(payment)),
      ...promises.map((promise) => viewPromisedShare(promise)),
    ],
    fromPool: tip.pool !== null,
    join,
    createdAt: tip.createdAt,
  }
}

/** Returns a tip's promised shares for which there is no payment. */
async function openPromises(read: Pick<Tx, 'walletPromise'>, tipId: string): Promise<WalletPromise[]> {
  return await read.walletPromise.findMany({ where: { tipId, state: { not: 'asked' } }, orderBy: { ordinal: 'asc' } })
}

async function viewJoin(
  read: Pick<Tx, 'tipShare'>,
  { id, total, guild, pool, shares, wallets }: Tip & { shares: StoredShare[]; wallets: WalletPayment[] },
  card: Card | null,
): Promise<JoinView | undefined> {
  const isBack = shares.every(({ state }) => state === 'returned')
  if (guild === null || pool !== null || wallets.length > 0 || isBack) return undefined
  // A message's tips have their own card, which counts differently.
  if (card?.kind !== 'tip' || card.interaction === null) return undefined
  const joined = await read.tipShare.findMany({
    where: { tip: { joins: id }, state: { not: 'returned' } },
    select: { tipId: true, amount: true },
  })
  const people = new Set(joined.map(({ tipId }) => tipId)).size
  return { people, total: msats(joined.reduce((sum, { amount }) => sum + amount, total)) }
}

/** Returns the view of a share, with its state and its payout, if any. */
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

/** Returns the view of a share that is or was promised. */
function viewPromisedShare({ recipient, amount, state, hindrance, until }: WalletPromise): TipShare {
  const about = { recipient, amount: msats(amount) }
  // It may have been paid since the backup.
  if (hindrance === 'restored') return { ...about, state: 'unconfirmed' }
  if (state !== 'promised') return { ...about, state: state === 'revoked' ? 'revoked' : 'lapsed' }
  return { ...about, state: 'promised', until, ...(hindrance && { hindrance: hindrance as PromiseHindrance }) }
}
