import { type Msats, msats } from '../../lib/money/amount.ts'
import { now } from '../core/context.ts'
import { readAmount } from '../core/read-amount.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { foreseenShare } from '../engine/gifts/foreseen-share.ts'
import { noteDue, startOnward } from '../engine/gifts/onward.ts'
import { operationRow } from '../engine/once-only/once-only.ts'
import type { WalletRoute } from '../engine/own-wallets/connections.ts'
import { mustKnowPayments, serverWalletRoute } from '../engine/own-wallets/server-wallet.ts'
import { pollPayments, startPayments } from '../engine/own-wallets/wallet-gift.ts'
import { spendPool, spendServerWallet } from '../engine/spending/spend-pool.ts'
import type { Funding, PoolSpending, SpendingCause, WalletFunding } from '../engine/spending/spending.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { payReward, payRewardFromWallet } from './pay-reward.ts'
import type { RewardCommand, RewardView } from './rewards.ts'
import { viewReward } from './view-reward.ts'

/**
 * Pays somebody from the server's wallet or pool, for a moderator's command, a rule or an API key. If a second
 * moderator must decide, the reward waits: see `spendPool`. Throws TippingRefusal `reward-to-self`, `tip-to-bot`, or as
 * `spendPool`, `mustKnowPayments` and `serverWalletRoute` do.
 */
export async function giveReward(
  context: TippingContext,
  command: RewardCommand,
  cause?: SpendingCause,
): Promise<RewardView> {
  const { guild, member, to, amount, reason, origin } = command
  const content = [guild, member, to.id, amount, reason]
  const id = await context.once.perform({ interaction: origin.interaction, verb: 'reward', content }, (digest) =>
    perform(context, command, { digest, cause }),
  )
  return await viewReward(context, id)
}

async function perform(
  context: TippingContext,
  command: RewardCommand,
  { digest, cause }: Pick<PoolSpending, 'digest' | 'cause'>,
): Promise<string> {
  const { guild, member, to, roles, reason, origin } = command
  if (to.id === member) throw new TippingRefusal('reward-to-self', {})
  if (to.bot) throw new TippingRefusal('tip-to-bot', {})
  const { minAmount: smallest, maxAmount: largest } = context.settings
  const amount = readAmount(command.amount, { smallest, largest, rates: context.rates })
  const shares = [{ recipient: to.id, amount }]
  const pool = { guild, roles, reason }
  const spending = { kind: 'reward', member, pool, amount, shares, gift: undefined, origin, digest, cause } as const
  // A moderator knows whether the reward was given before.
  if (cause !== undefined) await mustKnowPayments(context, guild)
  const route = await serverWalletRoute(context, guild, [to.id])
  if (route !== undefined) {
    return await spendServerWallet(context, spending, (funding, read) =>
      payByWallet(context, command, { funding, route, reason: read, amount, digest }),
    )
  }
  return await spendPool(context, spending, (funding, read) =>
    pay(context, command, { funding, reason: read, amount, digest }),
  )
}

/** Writes a reward that the server's wallet pays, and starts the payment. */
async function payByWallet(
  context: TippingContext,
  { guild, member, to, origin }: RewardCommand,
  {
    funding,
    route,
    reason,
    amount,
    digest,
  }: Omit<Paying, 'funding'> & {
    readonly funding: WalletFunding
    readonly route: WalletRoute
  },
): Promise<string> {
  const [id, card, at] = [context.entropy.uuid(), context.entropy.uuid(), now(context)]
  const due = { id, card, guild, channel: origin.channel, requester: member, recipient: to.id, reason, amount, at }
  const payment = payRewardFromWallet(context, due, route)
  await context.commit({
    rows: [
      operationRow({ id, verb: 'reward', record: id, interaction: origin.interaction, digest, createdAt: at }),
      ...payment.rows,
      context.cards.row({ id: card, kind: 'reward', record: id, audience: { channel: origin.channel }, origin }),
    ],
    write: async (tx) => {
      await funding.write(tx, { id, card })
      await pollPayments(tx, payment.gift)
    },
  })
  startPayments(context, payment.gift)
  return id
}

interface Paying {
  readonly funding: Funding
  readonly reason: string
  readonly amount: Msats
  readonly digest: string
}

async function pay(
  context: TippingContext,
  { guild, member, to, origin }: RewardCommand,
  { funding, reason, amount, digest }: Paying,
): Promise<string> {
  const [id, card, at] = [context.entropy.uuid(), context.entropy.uuid(), now(context)]
  const due = { id, card, guild, channel: origin.channel, requester: member, recipient: to.id, reason, at }
  const payment = await payReward(context, { ...due, amount: msats(amount), from: 'pool' })
  context.foresee?.({
    ...{ kind: 'reward', from: member, note: reason, total: amount, fromPool: true, createdAt: at },
    shares: [foreseenShare(payment, { recipient: to.id, amount })],
  })
  await context.commit({
    entries: payment.entries,
    rows: [
      operationRow({ id, verb: 'reward', record: id, interaction: origin.interaction, digest, createdAt: at }),
      ...payment.rows,
      context.cards.row({ id: card, kind: 'reward', record: id, audience: { channel: origin.channel }, origin }),
    ],
    write: async (tx) => {
      await noteDue(context, tx, payment.onward)
      await funding.write(tx, { id, card })
    },
  })
  await startOnward(context, payment.onward)
  return id
}
