import type { Entry, Row } from '../../ledger/ledger.ts'
import type { Msats } from '../../lib/money/amount.ts'
import { heldOfPool, member, pool } from '../core/chart-of-accounts.ts'
import type { Book } from '../core/context.ts'
import { type Onward, planOnward } from '../engine/gifts/onward.ts'
import { claimableUntil, claimDaysIn, recipientStatuses } from '../engine/gifts/recipients.ts'
import { ownerOfServer, type WalletRoute } from '../engine/own-wallets/connections.ts'
import { paymentRows, type WalletGift } from '../engine/own-wallets/wallet-gift.ts'
import type { TippingContext } from '../engine/tipping-context.ts'

/** A reward to be paid now. */
export interface DueReward {
  readonly id: string
  readonly card: string
  readonly guild: string
  readonly channel: string
  readonly requester: string
  readonly recipient: string
  readonly amount: Msats
  readonly reason: string
  /** The place of the sum: in the pool, or reserved since the request. */
  readonly from: 'pool' | 'aside'
  readonly at: Date
}

/** The parts of a change that pays a reward. */
export interface RewardPayment {
  readonly entries: readonly Entry[]
  readonly rows: readonly Row[]
  readonly onward: readonly Onward[]
  /** The time until which a newcomer can claim the reward; undefined for somebody who uses the bot. */
  readonly until: Date | undefined
}

/**
 * Prepares the payment of a reward: a tip with one share, whose giver is the pool. A recipient who uses the bot is
 * credited, and the sum is paid out if the recipient is linked. A newcomer's reward waits, and returns to the pool if
 * nobody claims it.
 */
export async function payReward(context: TippingContext, due: DueReward): Promise<RewardPayment> {
  const { id, card, guild, requester, recipient, amount, reason, at } = due
  const status = (await recipientStatuses(context.database.read, [recipient])).get(recipient)
  const known = status !== undefined
  const gift = { cause: id, card, member: recipient, amount, description: `Reward: ${reason}`, at }
  const onward = planOnward(context, status, gift)
  const [tipId, receipt] = [context.entropy.uuid(), context.entropy.uuid()]
  const until = known ? undefined : claimableUntil(at, await claimDaysIn(context, guild))
  const shared = { guild, channel: due.channel, card, createdAt: at }
  return {
    entries: [...firstEntry(due, known), ...onward.entries],
    rows: [
      { table: 'Tip', values: { id: tipId, sender: requester, note: reason, total: amount, pool: guild, ...shared } },
      {
        table: 'TipShare',
        values: {
          id,
          tipId,
          ordinal: 0,
          recipient,
          amount,
          state: known ? 'credited' : 'parked',
          until: until ?? null,
          claimId: null,
        },
      },
      ...onward.rows,
      ...(status?.receipts
        ? [context.cards.row({ id: receipt, kind: 'receipt', record: id, audience: { member: recipient } })]
        : []),
    ],
    onward: [onward],
    until,
  }
}

/**
 * Prepares a reward that the server's wallet pays: a tip with one payment, which has the reward's id. Moves nothing in
 * the book.
 */
export function payRewardFromWallet(
  context: Book,
  { id, card, guild, channel, requester, recipient, reason, amount, at }: Omit<DueReward, 'from'>,
  route: WalletRoute,
): { readonly rows: readonly Row[]; readonly gift: WalletGift } {
  const tip = context.entropy.uuid()
  const gift = { tip, payer: ownerOfServer(guild), route, shares: [{ id, recipient, amount }], at }
  const about = { sender: requester, note: reason, total: amount, pool: guild, guild, channel, card, createdAt: at }
  return { rows: [{ table: 'Tip', values: { id: tip, ...about } }, ...paymentRows(gift)], gift }
}

/**
 * Returns the entry that credits the recipient, or holds a newcomer's reward until the claim. A newcomer's sum that was
 * already reserved returns to the pool and leaves it again, so that the book contains the approval, from which events
 * are read.
 */
function firstEntry({ id: operation, guild, recipient, amount, from }: DueReward, known: boolean): Entry[] {
  const [account, held] = [pool(guild), heldOfPool(guild)]
  const source = from === 'pool' ? account : held
  if (known) return [{ operation, step: 'post', moves: [{ from: source, to: member(recipient), amount }] }]
  const hold = { from: account, to: held, amount }
  if (from === 'pool') return [{ operation, step: 'reserve', moves: [hold] }]
  return [{ operation, step: 'approve', moves: [{ from: held, to: account, amount }, hold] }]
}
