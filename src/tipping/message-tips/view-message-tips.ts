import { type Msats, msats, ZERO } from '../../lib/money/amount.ts'
import type { ReadonlyBook } from '../core/context.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { MessageTipsView } from './message-tips.ts'

const MAX_NOTES = 3

/** Returns a message's tips so far. Throws TippingRefusal `not-there` if the message was never tipped. */
export async function viewMessageTips({ database }: ReadonlyBook, message: string): Promise<MessageTipsView> {
  const tippedMessage = await database.read.tippedMessage.findUnique({ where: { message } })
  if (tippedMessage === null) throw new TippingRefusal('not-there', {})
  const tips = await database.read.tip.findMany({
    where: { message },
    include: { shares: true, wallets: { where: { state: 'paid' } } },
    orderBy: { createdAt: 'desc' },
  })
  const counted = tips.flatMap(({ sender, shares, wallets }) =>
    // A payment from a wallet counts as soon as it is proven.
    [...shares.filter(({ state }) => state !== 'returned'), ...wallets].map(({ amount }) => ({ sender, amount })),
  )
  const bySender = new Map<string, Msats>()
  for (const { sender, amount } of counted) bySender.set(sender, msats((bySender.get(sender) ?? ZERO) + amount))
  const unclaimed = tips.flatMap(({ shares }) =>
    shares.flatMap(({ state, until }) => (state === 'parked' ? (until ?? []) : [])),
  )
  return {
    message,
    channel: tippedMessage.channel,
    author: tippedMessage.author,
    card: tippedMessage.card,
    total: msats(counted.reduce((sum, { amount }) => sum + amount, 0n)),
    tips: counted.length,
    givers: [...bySender]
      .map(([member, amount]) => ({ member, amount }))
      .sort((one, other) => Number(other.amount - one.amount)),
    notes: tips.flatMap(({ sender, note }) => (note === '' ? [] : [{ member: sender, note }])).slice(0, MAX_NOTES),
    claimableUntil: unclaimed.sort((one, other) => one.getTime() - other.getTime())[0],
  }
}
