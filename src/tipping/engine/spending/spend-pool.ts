import { InsufficientFunds } from '../../../ledger/ledger.ts'
import { type Msats, msats } from '../../../lib/money/amount.ts'
import { heldOfPool, pool } from '../../core/chart-of-accounts.ts'
import { Overtaken } from '../../core/commit-end.ts'
import { now, type ReadonlyBook } from '../../core/context.ts'
import type { Tx } from '../../core/database.ts'
import { TippingRefusal } from '../../core/tipping-refusal.ts'
import { logModeration } from '../moderation-log/log-moderation.ts'
import { operationRow } from '../once-only/once-only.ts'
import { MAX_WALLET_PAYMENTS, receiversOf } from '../own-wallets/connections.ts'
import { walletOfServer } from '../own-wallets/server-wallet.ts'
import type { TippingContext } from '../tipping-context.ts'
import { needsApproval } from './approval.ts'
import { useBudget } from './budget.ts'
import {
  type AwaitedReward,
  type FundedGift,
  type Funding,
  fromPool,
  MAX_REWARD_REASON,
  type PoolSpending,
  type SpendingKind,
  type WalletFunding,
} from './spending.ts'

/** The kinds of gifts that only a pool pays, never a wallet. */
const POOL_ALONE: readonly SpendingKind[] = ['giveaway', 'voucher', 'vouchers', 'list']

/** A payment from a pool or a server's wallet, whose reason and approval limit have been read. */
interface Due extends PoolSpending {
  readonly source: 'pool' | 'wallet'
  readonly reason: string
  readonly approvalAbove: Msats | undefined
}

/**
 * Spends sats from a pool at a moderator's command, within the moderator's budget, with a reason, and with an entry in
 * the moderation log. There is no other way to spend a pool's sats. Above the server's limit, the sum is reserved until
 * a second moderator decides. Otherwise `carryOut` makes the gift, with the changes in `funding`. All of this is
 * decided in the transaction that takes the sats. Resolves to the id of the gift, or of the waiting reward. Throws
 * TippingRefusal `reason-missing`, `budget-none`, `budget-exhausted` or `pool-insufficient`.
 */
export async function spendPool(
  context: TippingContext,
  spending: PoolSpending,
  carryOut: (funding: Funding, reason: string) => Promise<string>,
): Promise<string> {
  const { guild } = spending.pool
  return await spend(context, { ...spending, source: 'pool' }, (write, reason) =>
    carryOut(fromPool(guild, [], write), reason),
  )
}

/**
 * Gives sats from the server's wallet at a moderator's command, under the rules of `spendPool`. A waiting gift reserves
 * nothing, but counts against the moderator's budget. The wallet is asked after the approval.
 */
export async function spendServerWallet(
  context: TippingContext,
  spending: PoolSpending,
  carryOut: (funding: WalletFunding, reason: string) => Promise<string>,
): Promise<string> {
  const { guild } = spending.pool
  return await spend(context, { ...spending, source: 'wallet' }, (write, reason) =>
    carryOut({ wallet: true, pool: guild, write }, reason),
  )
}

async function spend(
  context: TippingContext,
  spending: Omit<Due, 'reason' | 'approvalAbove'>,
  carryOut: (write: Funding['write'], reason: string) => Promise<string>,
): Promise<string> {
  const reason = readReason(spending.pool.reason)
  const { approvalAbove } = await context.preferences.inForce(spending.pool.guild)
  const due = { ...spending, reason, approvalAbove }
  for (;;) {
    const waits = await needsApproval(context, context.database.read, due, approvalAbove)
    try {
      if (waits) return await setAside(context, due)
      return await carryOut((tx, gift) => note(context, tx, due, gift), reason)
    } catch (error) {
      // Another reward was paid at the same moment.
      if (error instanceof Overtaken) continue
      throw error instanceof InsufficientFunds ? await tooLittleInPool(context, due, error) : error
    }
  }
}

/** Returns the reward with this id, if it waits or has waited for a second moderator. */
export async function awaitedReward(
  { database }: Pick<TippingContext, 'database'>,
  id: string,
): Promise<AwaitedReward | undefined> {
  const reward = await database.read.reward.findFirst({ where: { id, gift: { not: null } } })
  return reward === null ? undefined : { reward: id, card: reward.card }
}

export function readReason(text: string): string {
  const reason = text.trim()
  if (reason === '') throw new TippingRefusal('reason-missing', {})
  if (reason.length > MAX_REWARD_REASON)
    throw new TippingRefusal('text-too-long', { what: 'reason', most: MAX_REWARD_REASON })
  return reason
}

/**
 * Returns the refusal for a pool that holds too little. If the server has a wallet, explains why that did not pay
 * instead.
 */
async function tooLittleInPool(
  context: ReadonlyBook,
  { kind, pool: { guild }, shares, amount: needed }: Due,
  { missing }: InsufficientFunds,
): Promise<TippingRefusal> {
  const own = await walletOfServer(context, guild)
  const recipients = shares.map(({ recipient }) => recipient)
  // Only the pool pays lists: wallets would not pay their Lightning Addresses.
  if (own !== null && kind !== 'list' && recipients.length > 0 && recipients.length <= MAX_WALLET_PAYMENTS) {
    const receivers = await receiversOf(context.database.read, recipients)
    const members = recipients.filter((recipient) => !receivers.has(recipient))
    if (members.length > 0) return new TippingRefusal('recipient-needs-wallet', { members })
  }
  const alone = own !== null && POOL_ALONE.includes(kind)
  return new TippingRefusal('pool-insufficient', {
    ...{ balance: msats(needed - msats(missing)), needed, ...(alone && { alone }) },
  })
}

async function setAside(context: TippingContext, due: Due): Promise<string> {
  const { amount, origin: asked, isPrivate, digest } = due
  const origin = isPrivate ? { ...asked, reply: '' } : asked
  const { guild } = due.pool
  const [id, card, at] = [context.entropy.uuid(), context.entropy.uuid(), now(context)]
  const moves = [{ from: pool(guild), to: heldOfPool(guild), amount }]
  await context.commit({
    entries: due.source === 'wallet' ? [] : [{ operation: id, step: 'reserve', moves }],
    rows: [
      operationRow({ id, verb: 'reward', record: id, interaction: origin.interaction, digest, createdAt: at }),
      context.cards.row({ id: card, kind: 'reward', record: id, audience: { channel: origin.channel }, origin }),
    ],
    write: (tx) => store(context, tx, due, { id, card, state: 'asked' }),
  })
  return id
}

/** Stores a reward that is paid now. Throws Overtaken if the reward now needs a second moderator. */
async function note(context: TippingContext, tx: Tx, due: Due, { id, card }: FundedGift): Promise<void> {
  if (await needsApproval(context, tx, due, due.approvalAbove))
    throw new Overtaken(`what ${due.member} gave from the pool of ${due.pool.guild} today has changed`)
  await store(context, tx, due, { id, card, state: 'paid' })
}

async function store(
  context: TippingContext,
  tx: Tx,
  due: Due,
  { id, card, state }: FundedGift & { readonly state: 'asked' | 'paid' },
): Promise<void> {
  const { source, kind, member, amount, shares, reason, origin, cause } = due
  const { guild, roles } = due.pool
  const at = now(context)
  const isPaid = state === 'paid'
  await cause?.take(tx)
  const use = await useBudget(context, tx, { guild, member, roles, amount })
  const recipient = kind === 'reward' ? (shares[0]?.recipient ?? '') : ''
  await tx.reward.create({
    data: {
      ...{
        id,
        source,
        kind,
        guild,
        channel: origin.channel,
        requester: member,
        recipient,
        amount,
        reason,
        state,
        card,
      },
      ...{ gift: isPaid || due.gift === undefined ? null : JSON.stringify(due.gift) },
      ...{ record: isPaid && kind !== 'reward' ? id : null },
      ...{ decidedAt: isPaid ? at : null, createdAt: at, ...(cause && { [cause.kind]: cause.id }), ...use },
    },
  })
  if (shares.length > 0) await tx.rewardShare.createMany({ data: shares.map((share) => ({ rewardId: id, ...share })) })
  const about = {
    ...{ reward: id, ...(kind === 'reward' ? { to: recipient } : { kind }), amount, reason },
    ...(cause && { [cause.kind]: cause.id, event: cause.event }),
  }
  const action = isPaid ? 'reward' : 'reward-asked'
  await logModeration(context, tx, { guild, member, action, about, isByRule: cause?.kind === 'rule' })
}
