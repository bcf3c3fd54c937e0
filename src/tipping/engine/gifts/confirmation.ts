import { type Msats, msats, ZERO } from '../../../lib/money/amount.ts'
import { member as memberAccount } from '../../core/chart-of-accounts.ts'
import { type Book, now } from '../../core/context.ts'
import { DryRunEnded } from '../../core/dry-run-ended.ts'
import { isAll } from '../../core/read-amount.ts'
import type { TippingSettings } from '../../core/settings.ts'
import { TippingRefusal } from '../../core/tipping-refusal.ts'
import type { Origin } from '../cards/cards.ts'
import type { TippingContext } from '../tipping-context.ts'
import type { Confirmation, Gift, GiftSource, PendingTip } from './gifts.ts'

/**
 * A kind of gift that its giver may have to confirm. Each kind defines how its amount is computed. This file decides
 * when to ask for a confirmation, and what happens to the question.
 */
export interface GiftKind<G extends Gift> {
  /** The names under which gifts of this kind are stored. */
  readonly kinds: readonly G['kind'][]
  /** Returns the recipients, if they are known before the gift is made. */
  people?(gift: G, settings: TippingSettings): string[]
  giverOf(gift: G): string
  /** Returns the amount as it was typed. */
  typed(gift: G): string
  /** Returns the number of shares, and the amount of each in msats. Throws TippingRefusal. */
  shared(context: TippingContext, gift: G, balance: Msats): Promise<Shared> | Shared
  /** Chooses what pays the gift. Default: the giver's balance. Throws TippingRefusal. */
  source?(context: TippingContext, gift: G): Promise<GiftSource>
  /**
   * Replaces a typed amount (`all`, `$50`, a sum to share) with the exact amount that was meant when the giver typed
   * it.
   */
  exact(gift: G, share: Msats, source?: GiftSource): G
  /** Returns the refusal for a balance that does not cover the gift. Default: `insufficient-funds`. */
  tooLittle?(gift: G, share: Msats, balance: Msats): TippingRefusal
}

export type Shared = readonly [recipients: number, share: Msats]

/**
 * Stores a gift that needs a confirmation because it is large or a whole balance, and resolves to the question.
 * Resolves to undefined if the gift can be sent immediately, or if the command already ran. Discord may redeliver a
 * command after the balance changed: if the command awaits confirmation, asks again with the first amount. Throws
 * TippingRefusal if the balance does not cover the gift.
 */
export async function requireConfirmation<G extends Gift>(
  context: TippingContext,
  kind: GiftKind<G>,
  { interaction }: Pick<Origin, 'interaction'>,
  gift: () => G | Promise<G>,
): Promise<PendingTip | undefined> {
  try {
    return await keep(context, kind, interaction, await gift())
  } catch (error) {
    if (await context.once.has(interaction)) return undefined
    throw error
  }
}

async function keep<G extends Gift>(
  context: TippingContext,
  kind: GiftKind<G>,
  asked: string,
  gift: G,
): Promise<PendingTip | undefined> {
  // The value of `all` or `$5` and the confirmation limit may have changed since. The question stays the same.
  const before = await context.database.read.pendingTip.findFirst({ where: { id: asked } })
  if (before !== null) return await askAbout(context, kind, before)
  const member = kind.giverOf(gift)
  const source = (await kind.source?.(context, gift)) ?? 'balance'
  const balance = msats(await context.ledger.balance(memberAccount(member)))
  const { share, ...sum } = await sumOf(context, kind, gift, balance)
  if ((sum.total <= sum.most && !isAll(kind.typed(gift))) || (await context.once.has(asked))) return undefined
  // Refuse now what the balance does not cover. Otherwise a later balance might cover it at the confirmation.
  if (source === 'balance' && sum.total > balance) throw tooLittle(kind, gift, { needed: sum.total, share, balance })
  if (context.isDryRun) throw new DryRunEnded(true)
  // The interaction is its key, so a command that is delivered twice asks once.
  const data = { member, command: JSON.stringify(kind.exact(gift, share, source)), createdAt: now(context) }
  const stored = await context.commit({
    write: (tx) => tx.pendingTip.upsert({ where: { id: asked }, create: { id: asked, ...data }, update: {} }),
  })
  // Of two simultaneous deliveries, which may have chosen different people, one was stored. Both ask about that one.
  return await askAbout(context, kind, stored)
}

/** Returns the question about a stored gift. */
async function askAbout<G extends Gift>(
  context: TippingContext,
  kind: GiftKind<G>,
  { id, member, command }: { id: string; member: string; command: string },
): Promise<PendingTip> {
  const gift = JSON.parse(command) as Gift
  if (!isOf(kind, gift)) throw new TippingRefusal('already-done', {})
  const { share: _, ...sum } = await sumOf(context, kind, gift)
  const balance = await context.ledger.balance(memberAccount(member))
  const left = msats(balance > sum.total ? balance - sum.total : 0n)
  const to = kind.people?.(gift, context.settings) ?? []
  const source = (await kind.source?.(context, gift)) ?? 'balance'
  return { asked: id, ...sum, left, to, source }
}

function isOf<G extends Gift>({ kinds }: GiftKind<G>, gift: Gift): gift is G {
  return kinds.includes(gift.kind)
}

function tooLittle<G extends Gift>(
  kind: GiftKind<G>,
  gift: G,
  { needed, share, balance }: { readonly needed: Msats; readonly share: Msats; readonly balance: Msats },
): TippingRefusal {
  const refusal = kind.tooLittle?.(gift, share, balance)
  return refusal ?? new TippingRefusal('insufficient-funds', { balance, needed, missing: msats(needed - balance) })
}

/** Returns the total of a gift, and the largest total that needs no confirmation. */
async function sumOf<G extends Gift>(context: TippingContext, kind: GiftKind<G>, gift: G, balance: Msats = ZERO) {
  const { guild } = gift.command.origin
  const { confirmAbove: most = context.settings.confirmAbove } = await context.preferences.inForce(guild)
  const [recipients, share] = await kind.shared(context, gift, balance)
  return { share, total: msats(share * BigInt(recipients)), recipients, most }
}

/**
 * How long a question can be answered. Later, people may have left, a balance may have another value, and the giver may
 * have changed their mind.
 */
export const QUESTION_LIVES_MS = 15 * 60_000

/**
 * Returns the stored gift, ready to be sent once, with a card that answers `origin` or, if its `reply` is empty, is a
 * separate message. Throws TippingRefusal `not-there` if the question no longer exists or is too old, and `not-yours`
 * if somebody other than the giver confirms.
 */
export async function pendingGift<G extends Gift>(
  context: TippingContext,
  kind: GiftKind<G>,
  { asked, member, origin }: Confirmation,
): Promise<G> {
  const found = await context.database.read.pendingTip.findUnique({ where: { id: asked } })
  if (found === null) throw new TippingRefusal('not-there', {})
  if (found.member !== member) throw new TippingRefusal('not-yours', {})
  const isOver = context.clock.now() - found.createdAt.getTime() > QUESTION_LIVES_MS
  // A giver who confirmed in time and asks again gets the earlier result.
  if (isOver && !(await context.once.has(`confirmed ${asked}`))) throw new TippingRefusal('not-there', {})
  const gift = JSON.parse(found.command) as Gift
  if (!isOf(kind, gift)) throw new TippingRefusal('not-there', {})
  const { accountSince, origin: first } = gift.command as { readonly accountSince?: string; readonly origin: Origin }
  const here = {
    ...(accountSince && { accountSince: new Date(accountSince) }),
    origin: { ...origin, interaction: `confirmed ${asked}`, asked: first.asked },
  }
  return { ...gift, command: { ...gift.command, ...here } } as G
}

/**
 * How long a question is stored: longer than it can be answered, so that a person who presses too late learns that the
 * question is over.
 */
const RETENTION_MS = 24 * 3_600_000
export const FORGET_PENDING_EVERY_MS = 3_600_000

/**
 * Deletes the stored gifts whose questions are old. Anybody who presses their buttons then learns that the question no
 * longer exists.
 */
export async function forgetPendingTips(context: Book): Promise<void> {
  const before = new Date(context.clock.now() - RETENTION_MS)
  await context.commit({ write: (tx) => tx.pendingTip.deleteMany({ where: { createdAt: { lt: before } } }) })
}
