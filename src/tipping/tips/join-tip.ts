import type { ReadonlyBook } from '../core/context.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { requireConfirmation } from '../engine/gifts/confirmation.ts'
import type { PendingTip, TipCommand } from '../engine/gifts/gifts.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { performTip } from './send-tip.ts'
import { TIP_GIFTS } from './tip-gifts.ts'
import type { JoinTip, TipView } from './tips.ts'
import { viewTip } from './view-tip.ts'

/**
 * Gives each recipient of a tip the same amount again, from the balance of the person who joins. The new gift is
 * counted on the joined tip's card, and has no card of its own. Each member can join a tip only once. Above the
 * server's confirmation limit, nothing moves before the member confirms. Resolves to the joined tip. Throws
 * TippingRefusal `not-there` if the tip cannot be joined, or not from this channel, `tip-join-own`,
 * `tip-join-received`, `tip-joined`, or a tip's own refusals.
 */
export async function joinTip(context: TippingContext, command: JoinTip): Promise<TipView | PendingTip> {
  const { from, key, origin } = command
  const { tip, giver } = await findJoinable(context, command)
  const gift = { kind: 'tip', command: await giftOf(context, { tip, giver }, command) } as const
  const asked = await requireConfirmation(context, TIP_GIFTS, origin, () => gift)
  if (asked !== undefined) return asked
  const content = [key, from]
  await context.once.perform({ interaction: origin.interaction, verb: 'tip-join', content }, (digest) =>
    performTip(context, { ...gift, digest }),
  )
  return await viewTip(context, tip.id)
}

/** Finds a tip that can be joined, by the interaction of the command that gave the tip. */
async function findJoinable(context: ReadonlyBook, { key, origin }: JoinTip): Promise<Joinable> {
  const { read } = context.database
  const operation = await read.operation.findFirst({ where: { interaction: key, ordinal: 0 } })
  const stored = operation === null ? null : await read.tip.findFirst({ where: { id: operation.record } })
  // The button is in one channel only.
  if (stored === null || stored.channel !== origin.channel) throw new TippingRefusal('not-there', {})
  const tip = await viewTip(context, stored.id)
  // A tip that joined another uses its card, and cannot be joined. Otherwise one member could add to the same tip many
  // times.
  if (tip.join === undefined || tip.key !== key) throw new TippingRefusal('not-there', {})
  return { tip, giver: stored.sender }
}

interface Joinable {
  readonly tip: TipView
  readonly giver: string
}

async function giftOf(context: TippingContext, { tip, giver }: Joinable, command: JoinTip): Promise<TipCommand> {
  const { from, fromName, accountSince, origin } = command
  const recipients = tip.shares.map(({ recipient }) => recipient)
  if (from === giver) throw new TippingRefusal('tip-join-own', {})
  if (recipients.includes(from)) throw new TippingRefusal('tip-join-received', {})
  const { read } = context.database
  const before = await read.tip.findFirst({ where: { joins: tip.id, sender: from } })
  if (before !== null && !(await context.once.has(origin.interaction))) throw new TippingRefusal('tip-joined', {})
  return {
    ...{ from, fromName, accountSince, origin },
    to: recipients.map((id) => ({ id, bot: false })),
    amount: `${tip.shares[0]?.amount ?? tip.total} msats`,
    // A card that counts both cannot show wallets that wait for proof.
    source: 'balance',
    joins: { tip: tip.id, card: tip.card },
  }
}
