import { now } from '../core/context.ts'
import { boundsOf, NO_LIMITS } from '../core/gift-limits.ts'
import { readAmount } from '../core/read-amount.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { noteMember } from '../engine/members/note-member.ts'
import { operationRow } from '../engine/once-only/once-only.ts'
import { schedulePoll } from '../engine/polling/poller.ts'
import { mustNotBeBlocked } from '../engine/preferences/blocked.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { type AskView, MAX_ASK_REASON, type OpenAsk } from './asks.ts'
import { viewAsk } from './view-ask.ts'

const DAY_MS = 86_400_000
const DEFAULT_DAYS = 7
const MAX_DAYS = 30
/** The most open asks of one member, in all servers together. */
const MAX_OPEN = 3

/**
 * Opens an ask in a channel. A person who asks counts as a user of the bot from then on, so each gift belongs to that
 * person immediately. Throws TippingRefusal `blocked` or `ask-too-many`, or a refusal of the amount or the reason.
 */
export async function openAsk(context: TippingContext, command: OpenAsk): Promise<AskView> {
  const { member, amount, reason, days, origin } = command
  const content = [member, amount, reason, days]
  const id = await context.once.perform({ interaction: origin.interaction, verb: 'ask', content }, (digest) =>
    perform(context, command, digest),
  )
  void context.poller.wake()
  return await viewAsk(context, id)
}

async function perform(context: TippingContext, command: OpenAsk, digest: string): Promise<string> {
  const { member, roles, days = DEFAULT_DAYS, origin } = command
  const { guild, channel, interaction } = origin
  if (guild === null || !(Number.isSafeInteger(days) && days >= 1 && days <= MAX_DAYS))
    throw new TippingRefusal('not-there', {})
  const goal = readAmount(command.amount, boundsOf(context, NO_LIMITS))
  const reason = command.reason.trim()
  if (reason === '') throw new TippingRefusal('reason-missing', {})
  if (reason.length > MAX_ASK_REASON)
    throw new TippingRefusal('text-too-long', { what: 'reason', most: MAX_ASK_REASON })
  mustNotBeBlocked(await context.preferences.inForce(guild), { id: member, roles })
  const [id, card, at] = [context.entropy.uuid(), context.entropy.uuid(), now(context)]
  const endsAt = new Date(at.getTime() + days * DAY_MS)
  await context.commit({
    rows: [
      operationRow({ id, verb: 'ask', record: id, interaction, digest, createdAt: at }),
      context.cards.row({ id: card, kind: 'ask', record: id, audience: { channel }, origin }),
    ],
    write: async (tx) => {
      if ((await tx.ask.count({ where: { member, state: 'open' } })) >= MAX_OPEN)
        throw new TippingRefusal('ask-too-many', { most: MAX_OPEN })
      await noteMember(tx, member, at)
      await tx.ask.create({
        data: { id, member, guild, channel, card, goal, reason, state: 'open', endsAt, createdAt: at },
      })
      await schedulePoll(tx, { id, kind: 'ask', bornAt: at }, endsAt)
    },
  })
  return id
}
