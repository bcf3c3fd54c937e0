import { type Msats, msats, ZERO } from '../../lib/money/amount.ts'
import { readAmount } from '../amounts/read-amount.ts'
import type { Origin } from '../cards.ts'
import { member as memberAccount } from '../chart-of-accounts.ts'
import { now, type TippingContext } from '../context.ts'
import type { DropCommand } from '../drops/drops.ts'
import { shareOfDrop, tooLittleForDrop } from '../drops/share-of-drop.ts'
import { DryRunEnded } from '../dry-run.ts'
import type { StartGiveaway } from '../giveaways/giveaways.ts'
import { boundsOf } from '../limits/limits.ts'
import type { FundraiserGift, PoolCommand } from '../pools/pools.ts'
import type { PendingTip, TipCommand } from '../tipping.ts'
import { TippingRefusal } from '../tipping-refusal.ts'
import { chooseRecipients, shareOf } from './plan-tip.ts'

/**
 * What a giver may be asked about first: a tip, rain on these people, a tip for this message, a drop, a giveaway, or
 * something for a pool.
 */
export type Gift =
  | { readonly kind: 'tip' | 'rain'; readonly command: TipCommand }
  | { readonly kind: 'tally'; readonly command: TipCommand; readonly message: string }
  | { readonly kind: 'drop'; readonly command: DropCommand }
  | { readonly kind: 'giveaway'; readonly command: StartGiveaway }
  | { readonly kind: 'pool'; readonly command: PoolCommand | (PoolCommand & FundraiserGift) }

/** Who confirms what, and where. */
export interface Confirmation {
  readonly asked: string
  readonly member: string
  readonly origin: Origin
}

/**
 * Stores a gift that needs a confirmation; undefined where it may go at once, or is refused anyway. A command may be
 * delivered again when there is no longer what it took: one that was carried out is led to what it did, and one that was
 * asked about is asked about again, with the amount that it named then.
 */
export async function requireConfirmation(
  context: TippingContext,
  { interaction }: Pick<Origin, 'interaction'>,
  gift: () => Gift | Promise<Gift>,
): Promise<PendingTip | undefined> {
  try {
    return await keep(context, interaction, await gift())
  } catch (error) {
    if (await context.once.has(interaction)) return undefined
    throw error
  }
}

async function keep(context: TippingContext, asked: string, gift: Gift): Promise<PendingTip | undefined> {
  // What `all` or `$5` is, and what goes with one word, may have changed since; what was asked about has not.
  const before = await context.database.read.pendingTip.findFirst({ where: { id: asked } })
  if (before !== null) return await askAbout(context, before)
  const member = giverOf(gift)
  const balance = msats(await context.ledger.balance(memberAccount(member)))
  const { share, ...sum } = await sumOf(context, gift, balance)
  if (sum.total <= sum.most || (await context.once.has(asked))) return undefined
  // What is not there is refused at once: by the time that it is given it might be there, and nobody was asked.
  if (sum.total > balance) throw tooLittle(gift, sum.total, share, balance)
  if (context.isDryRun) throw new DryRunEnded(true)
  // Named by its interaction, so that one delivered twice asks for one gift.
  const data = { member, command: JSON.stringify(exact(gift, share)), createdAt: now(context) }
  const stored = await context.commit({
    write: (tx) => tx.pendingTip.upsert({ where: { id: asked }, create: { id: asked, ...data }, update: {} }),
  })
  // Of two deliveries at the same moment, which may have chosen other people, one was stored: both ask about that one.
  return await askAbout(context, stored)
}

/** The question about a gift that is stored. */
async function askAbout(
  context: TippingContext,
  { id, command }: { id: string; command: string },
): Promise<PendingTip> {
  const { share: _, ...sum } = await sumOf(context, JSON.parse(command) as Gift)
  return { asked: id, ...sum }
}

function tooLittle(gift: Gift, needed: Msats, share: Msats, balance: Msats): TippingRefusal {
  if (gift.kind === 'drop') return tooLittleForDrop(gift.command, share, balance)
  return new TippingRefusal('insufficient-funds', { balance, needed, missing: msats(needed - balance) })
}

/** What a gift comes to, and what goes with one word. */
async function sumOf(context: TippingContext, gift: Gift, balance: Msats = ZERO) {
  const { guild } = gift.command.origin
  const most = context.preferences.ofServer(guild).confirmAbove ?? context.settings.confirmAbove
  const [recipients, share] = await shared(context, gift, balance)
  return { share, total: msats(share * BigInt(recipients)), recipients, most }
}

/** Among how many a gift is shared, and what each of them gets. */
async function shared(context: TippingContext, gift: Gift, balance: Msats): Promise<[number, Msats]> {
  const { command } = gift
  const bounds = boundsOf(context, await context.limits.limitsFor(command.origin.guild))
  switch (gift.kind) {
    case 'drop':
      return [gift.command.shares, shareOfDrop(context, gift.command, balance)]
    case 'giveaway': {
      const { prize: amount, winners } = gift.command
      return [winners, shareOf({ amount }, winners, bounds, balance)]
    }
    case 'pool': {
      const { minAmount: smallest, maxAmount: largest } = context.settings
      return [1, readAmount(gift.command.amount, { smallest, largest, rates: context.rates }, balance)]
    }
    default: {
      const recipients = chooseRecipients(gift.command, context.settings).length
      return [recipients, shareOf(gift.command, recipients, bounds, balance)]
    }
  }
}

/** Whatever was said (`all`, `$50`, a sum to share out), this is what it meant when it was said. */
function exact(gift: Gift, share: Msats): Gift {
  switch (gift.kind) {
    case 'drop': {
      const whole = share * BigInt(gift.command.shares)
      return { ...gift, command: { ...gift.command, amount: `${whole} msats` } }
    }
    case 'giveaway':
      return { ...gift, command: { ...gift.command, prize: `${share} msats` } }
    case 'pool':
      return { ...gift, command: { ...gift.command, amount: `${share} msats` } }
    default:
      return { ...gift, command: { ...gift.command, amount: `${share} msats`, split: false } }
  }
}

function giverOf({ command }: Gift): string {
  return 'from' in command ? command.from : command.member
}

/**
 * What was kept, ready to be carried out once, with a card that is a message of its own. Throws TippingRefusal `not-there`, and
 * `not-yours` for anybody but its giver.
 */
export async function pendingGift(context: TippingContext, { asked, member, origin }: Confirmation): Promise<Gift> {
  const found = await context.database.read.pendingTip.findUnique({ where: { id: asked } })
  if (found === null) throw new TippingRefusal('not-there', {})
  if (found.member !== member) throw new TippingRefusal('not-yours', {})
  const gift = JSON.parse(found.command) as Gift
  const { accountSince } = gift.command as { readonly accountSince?: string }
  const here = {
    ...(accountSince && { accountSince: new Date(accountSince) }),
    origin: { ...origin, interaction: `confirmed ${asked}`, reply: '' },
  }
  return { ...gift, command: { ...gift.command, ...here } } as Gift
}

/** Longer than any button is pressed for; whoever comes later starts again. */
const RETENTION_MS = 30 * 24 * 3_600_000
export const FORGET_PENDING_EVERY_MS = 3_600_000

/** Forgets what nobody has confirmed. Its button then says that it is not there any more. */
export async function forgetPendingTips(context: TippingContext): Promise<void> {
  const before = new Date(context.clock.now() - RETENTION_MS)
  await context.commit({ write: (tx) => tx.pendingTip.deleteMany({ where: { createdAt: { lt: before } } }) })
}
