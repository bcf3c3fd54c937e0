import { InsufficientFunds } from '../../ledger/ledger.ts'
import { type Msats, msats } from '../../lib/money/amount.ts'
import { heldOfPool, pool } from '../core/chart-of-accounts.ts'
import { Overtaken } from '../core/commit-end.ts'
import { now } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { readAmount } from '../core/read-amount.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { noteDue, startOnward } from '../engine/gifts/onward.ts'
import { logModeration } from '../engine/moderation-log/log-moderation.ts'
import { operationRow } from '../engine/once-only/once-only.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { useBudget } from '../pools/budgets.ts'
import { payReward, type RewardPayment } from './pay-reward.ts'
import { MAX_REWARD_REASON, type RewardCommand, type RewardView } from './rewards.ts'
import { viewReward } from './view-reward.ts'

/**
 * Pays somebody from the pool, or sets the sum aside until a second moderator decides: where it is above the server's limit, together
 * with what the last 24 hours brought. The budget is used in the same
 * transaction. Throws TippingRefusal `reward-to-self`, `reason-missing`, `budget-none`, `budget-exhausted`, `pool-insufficient`, …
 */
export async function giveReward(context: TippingContext, command: RewardCommand): Promise<RewardView> {
  const { guild, member, to, amount, reason, origin } = command
  const content = [guild, member, to.id, amount, reason]
  const id = await context.once.perform({ interaction: origin.interaction, verb: 'reward', content }, (digest) =>
    perform(context, command, digest),
  )
  return await viewReward(context, id)
}

async function perform(context: TippingContext, command: RewardCommand, digest: string): Promise<string> {
  const { guild, member, to } = command
  const reason = readReason(command.reason)
  if (to.id === member) throw new TippingRefusal('reward-to-self', {})
  if (to.bot) throw new TippingRefusal('tip-to-bot', {})
  const { minAmount: smallest, maxAmount: largest } = context.settings
  const amount = readAmount(command.amount, { smallest, largest, rates: context.rates })
  const { approvalAbove } = await context.preferences.inForce(guild)
  for (;;) {
    const lately = await paidLately(context, context.database.read, command)
    const waits = approvalAbove !== undefined && lately + amount > approvalAbove
    try {
      return await write(context, command, { digest, reason, amount, waits, approvalAbove })
    } catch (error) {
      // Another reward was paid in the same moment.
      if (!(error instanceof Overtaken)) throw error
    }
  }
}

const DAY_MS = 24 * 3_600_000

/**
 * What was paid in the last 24 hours without a second moderator, in msats: by the one who asks, or to the one who gets it, whichever
 * is more. So a sum above the limit cannot be paid in pieces.
 */
async function paidLately(
  { clock }: Pick<TippingContext, 'clock'>,
  client: Pick<Tx, 'reward'>,
  { guild, member, to }: RewardCommand,
): Promise<bigint> {
  const createdAt = { gt: new Date(clock.now() - DAY_MS) }
  const alone = { guild, state: 'paid', decider: null, createdAt }
  const sums = await Promise.all([
    client.reward.aggregate({ where: { ...alone, requester: member }, _sum: { amount: true } }),
    client.reward.aggregate({ where: { ...alone, recipient: to.id }, _sum: { amount: true } }),
  ])
  const [asked = 0n, received = 0n] = sums.map(({ _sum }) => _sum.amount ?? 0n)
  return asked > received ? asked : received
}

interface PlannedReward {
  readonly digest: string
  readonly reason: string
  readonly amount: Msats
  readonly waits: boolean
  readonly approvalAbove: Msats | undefined
}

async function write(
  context: TippingContext,
  command: RewardCommand,
  { digest, reason, amount, waits, approvalAbove }: PlannedReward,
): Promise<string> {
  const { guild, member, to, origin } = command
  const [id, card, at] = [context.entropy.uuid(), context.entropy.uuid(), now(context)]
  const due = { id, card, guild, channel: origin.channel, requester: member, recipient: to.id, amount, reason, at }
  const payment = waits ? setAside(due) : await payReward(context, { ...due, from: 'pool' })
  try {
    await context.commit({
      entries: payment.entries,
      rows: [
        operationRow({ id, verb: 'reward', record: id, interaction: origin.interaction, digest, createdAt: at }),
        ...payment.rows,
        context.cards.row({ id: card, kind: 'reward', record: id, audience: { channel: origin.channel }, origin }),
      ],
      write: async (tx) => {
        const lately = waits || approvalAbove === undefined ? 0n : await paidLately(context, tx, command)
        if (approvalAbove !== undefined && !waits && lately + amount > approvalAbove) {
          throw new Overtaken(`what ${member} and ${to.id} had of ${guild} today has changed`)
        }
        await noteDue(context, tx, payment.onward)
        const use = await useBudget(context, tx, { guild, member, roles: command.roles, amount })
        const { at: createdAt, ...values } = due
        const state = waits ? { state: 'asked' } : { state: 'paid', decidedAt: at }
        await tx.reward.create({ data: { ...values, ...state, ...use, createdAt } })
        const action = waits ? 'reward-asked' : 'reward'
        await logModeration(context, tx, { guild, member, action, about: { reward: id, to: to.id, amount, reason } })
      },
    })
  } catch (error) {
    if (!(error instanceof InsufficientFunds)) throw error
    throw new TippingRefusal('pool-insufficient', { balance: msats(amount - msats(error.missing)), needed: amount })
  }
  await startOnward(context, payment.onward)
  return id
}

function readReason(text: string): string {
  const reason = text.trim()
  if (reason === '') throw new TippingRefusal('reason-missing', {})
  if (reason.length > MAX_REWARD_REASON)
    throw new TippingRefusal('text-too-long', { what: 'reason', most: MAX_REWARD_REASON })
  return reason
}

function setAside({ id, guild, amount }: { id: string; guild: string; amount: Msats }): RewardPayment {
  const moves = [{ from: pool(guild), to: heldOfPool(guild), amount }]
  return { entries: [{ operation: id, step: 'reserve', moves }], rows: [], onward: [] }
}
