import { uniform } from '../../lib/entropy.ts'
import { MAX_MSATS } from '../../lib/money/amount.ts'
import type { Book, ReadonlyBook } from '../core/context.ts'
import { isRelative, readAmount } from '../core/read-amount.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { requireConfirmation } from '../engine/gifts/confirmation.ts'
import type { GiftSource, PendingTip, TipCommand } from '../engine/gifts/gifts.ts'
import { payingWallet } from '../engine/gifts/paying-wallet.ts'
import { MAX_WALLET_PAYMENTS, receiversOf } from '../engine/own-wallets/connections.ts'
import { isBlocked } from '../engine/preferences/blocked.ts'
import { awaitedReward } from '../engine/spending/spend-pool.ts'
import type { AwaitedReward } from '../engine/spending/spending.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { performTip } from '../tips/send-tip.ts'
import { TIP_GIFTS } from '../tips/tip-gifts.ts'
import type { TipView } from '../tips/tips.ts'
import { viewTip } from '../tips/view-tip.ts'
import type { Presence } from './presence.ts'
import type { RainCommand } from './rain.ts'

const DAY_MS = 24 * 3_600_000
/** The most people looked up at the same time. */
const MAX_CONCURRENT = 10

/**
 * Shares an amount among members who were recently active or are in the giver's voice channel: all of them, or some at
 * random.
 */
export async function letItRain(context: TippingContext, presence: Presence, command: RainCommand): Promise<TipView> {
  return await viewTip(context, await performOnce(context, presence, command))
}

/**
 * Does the same as `letItRain`, but from the server's pool. If a second moderator must approve the rain, resolves to
 * the waiting reward.
 */
export async function letItRainFromPool(
  context: TippingContext,
  presence: Presence,
  command: RainCommand,
): Promise<TipView | AwaitedReward> {
  const id = await performOnce(context, presence, command)
  return (await awaitedReward(context, id)) ?? (await viewTip(context, id))
}

/** Performs a command once. Resolves to the id of the tip, or of the reward that waits for a second moderator. */
async function performOnce(context: TippingContext, presence: Presence, command: RainCommand): Promise<string> {
  const { from, guild, amount, people, activeWithinMinutes = null, among, inVoice, pool, origin } = command
  const about = [from, guild, amount, people ?? null, activeWithinMinutes, among === undefined]
  const more = inVoice === undefined ? [] : ['in voice']
  const content = [...about, ...more, ...(pool === undefined ? [] : [pool.reason])]
  return await context.once.perform({ interaction: origin.interaction, verb: 'rain', content }, async (digest) =>
    performTip(context, { kind: 'rain', digest, command: await rainOn(context, presence, command) }),
  )
}

/**
 * Does the same as `letItRain`, but above the server's confirmation limit moves nothing, and returns what the giver
 * must confirm, with the people chosen now.
 */
export async function askToRain(
  context: TippingContext,
  presence: Presence,
  command: RainCommand,
): Promise<TipView | PendingTip> {
  const asked = await requireConfirmation(context, TIP_GIFTS, command.origin, async () => ({
    kind: 'rain',
    command: await rainOn(context, presence, command),
  }))
  return asked ?? (await letItRain(context, presence, command))
}

/**
 * Returns the tip that gives the rain. The tip shares out one amount (`split`), which makes no difference for one
 * person.
 */
async function rainOn(context: TippingContext, presence: Presence, command: RainCommand): Promise<TipCommand> {
  const { from, fromName, accountSince, amount, role, pool, origin } = command
  const source: GiftSource = (await isByWallet(context, command)) ? 'wallet' : 'balance'
  const chosen = await choose(context, presence, command, source)
  const to = chosen.map((member) => ({ id: member, bot: false, role }))
  const paid = pool === undefined ? { source } : { pool, note: pool.reason, ...(source === 'wallet' && { source }) }
  return { from, fromName, accountSince, to, amount, split: true, ...paid, origin }
}

/** Returns whether a wallet pays the rain. Throws TippingRefusal as `payingWallet` does. */
async function isByWallet(
  context: TippingContext,
  { from: giver, pool, source, amount }: RainCommand,
): Promise<boolean> {
  const { minAmount: smallest } = context.settings
  const needed = () => readAmount(amount, { smallest, largest: MAX_MSATS, rates: context.rates })
  const asked = { giver, pool, source, isForBalance: isRelative(amount), needed }
  return (await payingWallet(context, asked)) !== undefined
}

async function choose(
  context: TippingContext,
  presence: Presence,
  command: RainCommand,
  source: GiftSource,
): Promise<string[]> {
  const { from, people, among, inVoice } = command
  const allowed = among === undefined ? undefined : new Set(among)
  const found = await candidates(context, presence, command)
  const there = found.filter((id) => id !== from && (allowed?.has(id) ?? true))
  const active = source === 'wallet' ? await withWallets(context, there) : there
  const { maxRecipients } = context.settings
  const most = source === 'wallet' ? Math.min(MAX_WALLET_PAYMENTS, maxRecipients) : maxRecipients
  if (source === 'wallet' && (people ?? 0) > most) throw new TippingRefusal('too-many-recipients', { most })
  // Discord is asked about each person, so ask about no more than are likely to be needed after some have left.
  if (people === undefined && active.length > 2 * most) throw new TippingRefusal('too-many-recipients', { most })
  const shuffle = (some: readonly string[]) => shuffled(context, some)
  const order = people === undefined ? active : presence.order(command.origin.interaction, active, shuffle)
  const chosen = await welcome(context, command, order, people ?? most + 1)
  if (chosen.length === 0) throw new TippingRefusal(inVoice === undefined ? 'nobody-active' : 'nobody-in-voice', {})
  if (source === 'wallet' && chosen.length > most) throw new TippingRefusal('too-many-recipients', { most })
  return chosen
}

/**
 * Returns, sorted by id, the people who were active within the given time, or are in the voice channel, or both if both
 * are required.
 */
async function candidates(
  { clock }: ReadonlyBook,
  presence: Presence,
  { guild, activeWithinMinutes, inVoice }: RainCommand,
): Promise<readonly string[]> {
  if (inVoice !== undefined && activeWithinMinutes === undefined) return inVoice.toSorted()
  const since = new Date(clock.now() - (activeWithinMinutes ?? 0) * 60_000)
  const active = await presence.since(guild, since)
  const there = inVoice && new Set(inVoice)
  return there === undefined ? active : active.filter((id) => there.has(id))
}

/** Returns those people who have their own wallet. Throws TippingRefusal `nobody-with-wallet`. */
async function withWallets({ database }: ReadonlyBook, people: readonly string[]): Promise<string[]> {
  const receivers = await receiversOf(database.read, people)
  const found = people.filter((id) => receivers.has(id))
  if (found.length === 0 && people.length > 0) throw new TippingRefusal('nobody-with-wallet', {})
  return found
}

/**
 * Returns the first eligible people, at most `most`. Eligible people are still in the server, are not bots, have an
 * account and a membership as old as the server requires, and are not excluded by the server.
 */
async function welcome(
  { clock, preferences, settings }: TippingContext,
  { guild, person }: RainCommand,
  order: readonly string[],
  most: number,
): Promise<string[]> {
  const chosen = await preferences.inForce(guild)
  const open = order.filter((id) => !isBlocked(chosen, { id, roles: [] }))
  if (person === undefined) return open.slice(0, most)
  const accountDays = chosen.rainAccountDays ?? settings.rainAccountDays
  const memberDays = chosen.rainMemberDays ?? settings.rainMemberDays
  const isOld = (since: Date, days: number) => clock.now() - since.getTime() >= days * DAY_MS
  const found: string[] = []
  const asked = open.slice(0, 2 * Math.max(most, MAX_CONCURRENT))
  while (found.length < most && asked.length > 0) {
    const some = asked.splice(0, MAX_CONCURRENT)
    const known = await Promise.all(some.map((id) => person(id)))
    found.push(
      ...some.filter((id, i) => {
        const one = known[i]
        if (one === undefined || one.bot || isBlocked(chosen, { id, roles: one.roles ?? [] })) return false
        return isOld(one.accountSince, accountDays) && isOld(one.memberSince, memberDays)
      }),
    )
  }
  return found.slice(0, most)
}

function shuffled({ entropy }: Book, people: readonly string[]): string[] {
  const left = [...people]
  const order: string[] = []
  while (left.length > 0) order.push(...left.splice(uniform(entropy, left.length), 1))
  return order
}
