import { msats } from '../../lib/money/amount.ts'
import type { ReadonlyBook } from '../core/context.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { showPayout } from '../engine/payouts/payout-shown.ts'
import type { ClaimView } from './claims.ts'

/** Returns a claim's present view. Throws TippingRefusal `not-there`. */
export async function viewClaim({ database }: ReadonlyBook, id: string): Promise<ClaimView> {
  const claim = await database.read.claim.findUnique({ where: { id } })
  if (claim === null) throw new TippingRefusal('not-there', {})
  const [shares, payout] = await Promise.all([
    database.read.tipShare.findMany({ where: { claimId: id }, include: { tip: true }, orderBy: { until: 'asc' } }),
    database.read.payout.findUnique({ where: { cause: id } }),
  ])
  return {
    id,
    card: claim.card,
    member: claim.member,
    amount: msats(claim.amount),
    shares: shares.map((share) => ({ from: share.tip.sender, amount: msats(share.amount) })),
    ...showPayout(payout ?? undefined),
  }
}
