import type { ReadonlyBook } from '../core/context.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { ExportReading } from '../engine/export-reading.ts'
import { BY_HAND } from '../engine/own-wallets/pay-by-hand.ts'
import { viewWalletShare } from '../engine/own-wallets/view-wallet-share.ts'
import type { Prisma } from '../generated/client.ts'
import type { MemberLine, PaymentReceipt } from './history.ts'

/**
 * Returns a member's gifts from wallet to wallet, newest first, at most `most`: all, or only the proven ones. The
 * ledger contains none of these gifts.
 */
export async function walletTips(
  { database: { read } }: ExportReading,
  member: string,
  most: number,
  which: 'all' | 'proven' = 'all',
): Promise<MemberLine[]> {
  const rows = await read.walletPayment.findMany({
    where: { ...shownTo(member), ...(which === 'proven' && { state: 'paid' }) },
    orderBy: [{ createdAt: 'desc' }, { ordinal: 'desc' }],
    take: most,
    include: WITH_TIP,
  })
  const drops = await dropsAmong(read, rows)
  return rows.map((row) => lineOf(row, member, drops))
}

/**
 * Returns the condition for payments that a member may see. Givers see payments in every state, except codes that
 * nobody paid. Recipients see only payments that were made.
 */
function shownTo(member: string): Prisma.WalletPaymentWhereInput {
  const given = { sender: member, NOT: { connection: BY_HAND, state: 'failed' } }
  return { OR: [given, { recipient: member, state: 'paid' }] }
}

const WITH_TIP = { tip: { select: { sender: true, pool: true } } } as const
type Payment = Prisma.WalletPaymentGetPayload<{ include: typeof WITH_TIP }>

/** Returns the ids of the drops to which some of these payments belong: the tip of such a payment has the drop's id. */
async function dropsAmong(
  read: ExportReading['database']['read'],
  rows: readonly Payment[],
): Promise<ReadonlySet<string>> {
  const ids = [...new Set(rows.flatMap(({ tipId, card }) => (card === null ? [] : [tipId])))]
  const drops = ids.length === 0 ? [] : await read.drop.findMany({ where: { id: { in: ids } }, select: { id: true } })
  return new Set(drops.map(({ id }) => id))
}

function lineOf(row: Payment, member: string, drops: ReadonlySet<string>): MemberLine {
  const { id, tipId, sender, recipient, amount, endedAt, createdAt, tip } = row
  const { state } = viewWalletShare(row)
  const about = { operation: id, at: endedAt ?? createdAt, balance: undefined, state }
  if (drops.has(tipId)) {
    return sender === member
      ? { ...about, amount: -amount, what: 'drop', who: recipient }
      : { ...about, amount, what: 'drop-share', who: tip.sender }
  }
  // A server's wallet has paid, so its moderator is named, as for any reward.
  if (tip.pool !== null) return { ...about, amount, what: 'reward', who: tip.sender }
  return sender === member
    ? { ...about, amount: -amount, what: 'tip-sent', who: recipient }
    : { ...about, amount, what: 'tip-received', who: sender }
}

/**
 * Merges two lists, each with the newest line first. The order within each list is preserved, even where the times
 * contradict it.
 */
export function mergeNewest<Line extends { readonly at: Date }>(one: readonly Line[], other: readonly Line[]): Line[] {
  const [left, right] = [[...one], [...other]]
  const merged: Line[] = []
  for (;;) {
    const [first, second] = [left[0], right[0]]
    const isFirst = second === undefined || (first !== undefined && first.at.getTime() >= second.at.getTime())
    const next = isFirst ? left.shift() : right.shift()
    if (next === undefined) return merged
    merged.push(next)
  }
}

/**
 * Returns the receipt of a gift from wallet to wallet that the member gave or received. Throws TippingRefusal
 * `payment-not-found`.
 */
export async function receiptOfWalletTip(
  { database: { read } }: ReadonlyBook,
  member: string,
  id: string,
): Promise<PaymentReceipt> {
  const row = await read.walletPayment.findFirst({ where: { id, ...shownTo(member) }, include: WITH_TIP })
  if (row === null) throw new TippingRefusal('payment-not-found', {})
  const { balance: _, ...line } = lineOf(row, member, await dropsAmong(read, [row]))
  return {
    ...line,
    ...{ fee: undefined, remoteId: undefined, said: undefined },
    request: row.invoice ?? undefined,
    paymentHash: row.paymentHash ?? undefined,
    preimage: row.preimage ?? undefined,
  }
}
