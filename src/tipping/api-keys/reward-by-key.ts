import { msats } from '../../lib/money/amount.ts'
import type { ReadonlyBook } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { mustNotBeBlocked } from '../engine/preferences/blocked.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { giveReward } from '../rewards/give-reward.ts'
import type { RewardView } from '../rewards/rewards.ts'
import { viewReward } from '../rewards/view-reward.ts'
import type { RewardByKey } from './api-keys.ts'
import { readApiKey, spentByKey, stateOf } from './find-key.ts'

/**
 * Gives a reward for a program, as the key's owner would, once for each Idempotency-Key. Does not ask Discord about a
 * repetition, which therefore gets the first answer even if the recipient has left. Throws TippingRefusal
 * `api-key-not-found`, `api-key-owner`, `api-key-budget-spent`, `recipient-not-member`, `blocked`, or a refusal of
 * `Rewards.give`.
 */
export async function rewardByKey(context: TippingContext, command: RewardByKey): Promise<RewardView> {
  const { to: id, amount, reason, idempotencyKey, people } = command
  const key = await readApiKey(context, command.key)
  const { guild, channel, owner: member } = key
  const interaction = `api-key ${key.id} ${idempotencyKey}`
  const isRepeated = await context.once.has(interaction)
  const { bot, roles } = isRepeated ? { bot: false, roles: [] } : await readPeople(context, command, { guild, member })
  const origin = { interaction, guild, channel, reply: '', locale: people.localeOf(guild) }
  const reward = { guild, member, roles, to: { id, bot }, amount: `${amount} msats`, reason, origin }
  const take = (tx: Tx) => takeFromKey(context, tx, command)
  return await giveReward(context, reward, { kind: 'apiKey', id: key.id, event: idempotencyKey, take })
}

/** Returns whether the recipient is a bot, and the roles of the key's owner. */
async function readPeople(
  context: TippingContext,
  { to, people }: RewardByKey,
  { guild, member }: { readonly guild: string; readonly member: string },
): Promise<{ readonly bot: boolean; readonly roles: readonly string[] }> {
  const [roles, recipient] = await Promise.all([people.moderator(guild, member), people.person(guild, to)])
  if (roles === undefined) throw new TippingRefusal('api-key-owner', {})
  if (recipient === undefined) throw new TippingRefusal('recipient-not-member', {})
  mustNotBeBlocked(await context.preferences.inForce(guild), { id: to, roles: recipient.roles })
  return { bot: recipient.bot, roles }
}

/** Checks in the spending transaction that the key is still valid and that enough of its budget is left. */
async function takeFromKey(context: ReadonlyBook, tx: Tx, { key: id, amount }: RewardByKey): Promise<void> {
  const key = await tx.apiKey.findUnique({ where: { id } })
  if (key === null || stateOf(context, key) !== 'live') throw new TippingRefusal('api-key-not-found', {})
  const spent = await spentByKey(context, tx, id)
  if (spent + amount <= key.budget) return
  const left = spent < key.budget ? key.budget - spent : 0n
  throw new TippingRefusal('api-key-budget-spent', { budget: msats(key.budget), left: msats(left) })
}

/** Returns a reward that a key of this server gave. Throws TippingRefusal `not-there`. */
export async function rewardOfKey(context: TippingContext, guild: string, id: string): Promise<RewardView> {
  const reward = await viewReward(context, id)
  if (reward.guild !== guild || reward.apiKey === undefined) throw new TippingRefusal('not-there', {})
  return reward
}

/** Whether a member has linked a gamertag. */
export async function isLinked({ database }: ReadonlyBook, member: string): Promise<boolean> {
  return (await database.read.link.findFirst({ where: { member, endedAt: null } })) !== null
}
