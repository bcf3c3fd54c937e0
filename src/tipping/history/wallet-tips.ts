import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Prisma } from '../generated/client.ts'
import type { MemberLine, PaymentReceipt } from './history.ts'

/** A member's tips from wallet to wallet that are proven, newest first, at most so many. Nothing of them is in the book. */
export async function walletTips(
  { database: { read } }: TippingContext,
  member: string,
  most: number,
): Promise<MemberLine[]> {
  const rows = await read.walletPayment.findMany({
    where: { OR: [{ sender: member }, { recipient: member }], state: 'paid' },
    orderBy: { endedAt: 'desc' },
    take: most,
    include: WITH_TIP,
  })
  const drops = await dropsAmong(read, rows)
  return rows.map((row) => lineOf(row, member, drops))
}

const WITH_TIP = { tip: { select: { sender: true, pool: true } } } as const
type Paid = Prisma.WalletPaymentGetPayload<{ include: typeof WITH_TIP }>

/** Which of these payments are shares of a drop: those have the drop's id as their tip's. */
async function dropsAmong(
  read: TippingContext['database']['read'],
  rows: readonly Paid[],
): Promise<ReadonlySet<string>> {
  const ids = [...new Set(rows.flatMap(({ tipId, card }) => (card === null ? [] : [tipId])))]
  const drops = ids.length === 0 ? [] : await read.drop.findMany({ where: { id: { in: ids } }, select: { id: true } })
  return new Set(drops.map(({ id }) => id))
}

function lineOf(row: Paid, member: string, drops: ReadonlySet<string>): MemberLine {
  const { id, tipId, sender, recipient, amount, endedAt, createdAt, tip } = row
  const about = { operation: id, at: endedAt ?? createdAt, balance: undefined }
  if (drops.has(tipId)) {
    return sender === member
      ? { ...about, amount: -amount, what: 'drop', who: recipient }
      : { ...about, amount, what: 'drop-share', who: tip.sender }
  }
  // A server's wallet has paid: its moderator is told, as of any reward.
  if (tip.pool !== null) return { ...about, amount, what: 'reward', who: tip.sender }
  return sender === member
    ? { ...about, amount: -amount, what: 'tip-sent', who: recipient }
    : { ...about, amount, what: 'tip-received', who: sender }
}

/** Two lists as one, both with the newest first. Each keeps its order, whatever its times say. */
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

/** What proves a tip from wallet to wallet to either of the two. Throws TippingRefusal `payment-not-found`. */
export async function receiptOfWalletTip(
  { database: { read } }: TippingContext,
  member: string,
  id: string,
): Promise<PaymentReceipt> {
  const where = { id, OR: [{ sender: member }, { recipient: member }], state: 'paid' }
  const row = await read.walletPayment.findFirst({ where, include: WITH_TIP })
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
