import { type Msats, msats, ZERO } from '../../lib/amount.ts'
import { isRelative } from '../amounts/read-amount.ts'
import { member as memberAccount } from '../books.ts'
import type { Origin } from '../cards.ts'
import { now, type TippingContext } from '../context.ts'
import { boundsOf } from '../limits/limits.ts'
import { Refusal } from '../refusal.ts'
import { Rehearsed } from '../rehearsal.ts'
import { tallyCard } from '../tallies/tally-card.ts'
import type { AskedTip, TipCommand, Tipping, TipView } from '../tipping.ts'
import { chooseRecipients, shareOf } from './plan-tip.ts'
import { performTip, sendTip } from './send-tip.ts'
import { viewTip } from './view-tip.ts'

/** What a giver may be asked about first: a tip, rain on these people, or a tip for this message. */
export type Gift =
  | { readonly kind: 'tip' | 'rain'; readonly command: TipCommand }
  | { readonly kind: 'tally'; readonly command: TipCommand; readonly message: string }

/**
 * Sends a tip, unless it comes to more than may be given with one word here: then what was asked for is kept until its
 * giver says so again. Nothing has moved until then.
 */
export async function askTip(context: TippingContext, command: TipCommand): Promise<TipView | AskedTip> {
  const asked = await askFirst(context, command.origin, () => ({ kind: 'tip', command }))
  return asked ?? (await sendTip(context, command))
}

/**
 * Keeps a gift that takes a second word; undefined where it may go at once, or is refused anyway. A command may be
 * delivered again when there is no longer what it took: one that was carried out is led to what it did, and one that was
 * asked about is asked about again, with the amount that it named then.
 */
export async function askFirst(
  context: TippingContext,
  { interaction }: Pick<Origin, 'interaction'>,
  gift: () => Gift | Promise<Gift>,
): Promise<AskedTip | undefined> {
  try {
    return await keep(context, interaction, await gift())
  } catch (error) {
    if (error instanceof Refusal && (await context.once.has(interaction))) return undefined
    throw error
  }
}

async function keep(context: TippingContext, asked: string, gift: Gift): Promise<AskedTip | undefined> {
  const { command } = gift
  // What `all` is may have changed since; what was asked about has not.
  const before = isRelative(command.amount)
    ? await context.database.read.askedTip.findUnique({ where: { id: asked } })
    : null
  if (before !== null) {
    const { share: _, ...sum } = await sumOf(context, (JSON.parse(before.command) as Gift).command)
    return { asked, ...sum }
  }
  const balance = msats(await context.ledger.balance(memberAccount(command.from)))
  const { share, ...sum } = await sumOf(context, command, balance)
  // What is not there is refused at once.
  if (sum.total <= sum.most || sum.total > balance || (await context.once.has(asked))) return undefined
  if (context.rehearsing) throw new Rehearsed(true)
  // Named by its interaction, so that one delivered twice asks for one tip.
  const kept: Gift = { ...gift, command: exact(command, share) }
  const data = { member: command.from, command: JSON.stringify(kept), createdAt: now(context) }
  await context.commit({
    write: (tx) => tx.askedTip.upsert({ where: { id: asked }, create: { id: asked, ...data }, update: {} }),
  })
  return { asked, ...sum }
}

/** What a gift comes to, and what goes with one word. */
async function sumOf(context: TippingContext, command: TipCommand, balance: Msats = ZERO) {
  const { guild } = command.origin
  const most = context.preferences.ofServer(guild).confirmAbove ?? context.settings.confirmAbove
  const recipients = chooseRecipients(command, context.settings).length
  const bounds = boundsOf(context, await context.limits.limitsFor(guild))
  const share = shareOf(command, recipients, bounds, balance)
  return { share, total: msats(share * BigInt(recipients)), recipients, most }
}

/**
 * The second word. However often it is said, the gift is sent once; its card is a message of its own. Throws Refusal
 * `not-yours` and whatever a tip may be refused for.
 */
export async function confirmTip(
  context: TippingContext,
  { asked, member, origin }: Parameters<Tipping['confirmTip']>[0],
): Promise<TipView> {
  const found = await context.database.read.askedTip.findUnique({ where: { id: asked } })
  if (found === null) throw new Refusal('not-there', {})
  if (found.member !== member) throw new Refusal('not-yours', {})
  const gift = JSON.parse(found.command) as Gift
  const { accountSince } = gift.command
  const command = {
    ...gift.command,
    accountSince: accountSince === undefined ? undefined : new Date(accountSince),
    origin: { ...origin, interaction: `confirmed ${asked}`, reply: '' },
  }
  const { interaction } = command.origin
  const id = await context.once.perform({ interaction, verb: gift.kind, content: [asked] }, (digest) =>
    performTip(context, {
      ...{ kind: gift.kind, digest, command },
      ...(gift.kind === 'tally' ? { tally: { message: gift.message, card: tallyCard(gift.message) } } : {}),
    }),
  )
  return await viewTip(context, id)
}

/** Longer than any button is pressed for; whoever comes later starts again. */
const KEPT_MS = 30 * 24 * 3_600_000
export const FORGET_ASKED_EVERY_MS = 3_600_000

/** Forgets what nobody has said a second word to. Its button then says that it is not there any more. */
export async function forgetAskedTips(context: TippingContext): Promise<void> {
  const before = new Date(context.clock.now() - KEPT_MS)
  if ((await context.database.read.askedTip.count({ where: { createdAt: { lt: before } } })) === 0) return
  await context.commit({ write: (tx) => tx.askedTip.deleteMany({ where: { createdAt: { lt: before } } }) })
}

/** Whatever was said (`all`, `$50`, a sum to share out), this is what it meant when it was said. */
function exact(command: TipCommand, share: Msats): TipCommand {
  return { ...command, amount: `${share} msats`, split: false }
}
