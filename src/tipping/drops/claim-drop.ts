import { InsufficientFunds } from '../../ledger/ledger.ts'
import { msats } from '../../lib/money/amount.ts'
import { member as memberAccount, pot } from '../core/chart-of-accounts.ts'
import { type Book, now, type ReadonlyBook } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { noteDue, type Onward, planOnward, startOnward } from '../engine/gifts/onward.ts'
import { recipientStatuses } from '../engine/gifts/recipients.ts'
import { noteMember } from '../engine/members/note-member.ts'
import { operationRow } from '../engine/once-only/once-only.ts'
import type { WalletRoute } from '../engine/own-wallets/connections.ts'
import { addPayments, startPayments } from '../engine/own-wallets/wallet-gift.ts'
import { mustNotBeBlocked } from '../engine/preferences/blocked.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Drop } from '../generated/client.ts'
import type { Claimant, DropClaimView, Drops, PuzzleKind } from './drops.ts'
import { isRight } from './puzzles.ts'
import { viewDropClaim } from './view-drop.ts'
import { paymentsOf, routeOfShare } from './wallet-shares.ts'

type Command = Parameters<Drops['claim']>[0]

const WRONG_ANSWERS = 3
const DAY_MS = 24 * 3_600_000

/**
 * Claims a share of a drop for a person, or enters the person in the drop's draw. A second press returns the first
 * claim.
 */
export async function claimDrop(context: TippingContext, command: Command): Promise<DropClaimView> {
  const { drop: id, claimant } = command
  const { read } = context.database
  const drop = await read.drop.findUnique({ where: { id } })
  if (drop === null) throw new TippingRefusal('drop-over', {})
  const mine = { dropId: id, member: claimant.id }
  const before = await read.dropClaim.findFirst({ where: mine })
  if (before) return await viewDropClaim(context, before.id)
  mayClaim(context, drop, claimant)
  mustNotBeBlocked(await context.preferences.inForce(drop.guild), claimant)
  // Nobody should solve a puzzle for a share that cannot be paid to them.
  const route = await routeOfShare(context, drop, claimant.id)
  if (drop.puzzle !== null) await mustSolve(context, drop, command)
  try {
    return await viewDropClaim(context, await claim(context, drop, command, route))
  } catch (error) {
    // Of two simultaneous presses, one has the share; or the drop was emptied at this moment.
    const other = await read.dropClaim.findFirst({ where: mine })
    if (other) return await viewDropClaim(context, other.id)
    if (error instanceof InsufficientFunds) throw new TippingRefusal('drop-empty', {})
    throw error
  }
}

/** Throws TippingRefusal if this person may not claim the drop, or no longer may. */
function mayClaim({ clock }: ReadonlyBook, drop: Drop, claimant: Claimant): void {
  const { state, draw, claimed, shares, closesAt, member, role, accountDays, memberDays } = drop
  if (!draw && claimed >= shares) throw new TippingRefusal('drop-empty', {})
  if (state !== 'open' || closesAt.getTime() <= clock.now()) throw new TippingRefusal('drop-over', {})
  if (member === claimant.id) throw new TippingRefusal('drop-own', {})
  if (role !== null && !claimant.roles.includes(role)) throw new TippingRefusal('drop-role', { role })
  const isYoung = (since: Date | undefined, days: number | null): days is number =>
    days !== null && (since === undefined || clock.now() - since.getTime() < days * DAY_MS)
  if (isYoung(claimant.accountSince, accountDays)) throw new TippingRefusal('drop-account-young', { days: accountDays })
  if (isYoung(claimant.memberSince, memberDays)) throw new TippingRefusal('drop-member-young', { days: memberDays })
}

/**
 * Throws TippingRefusal if the answer to a drop's puzzle is wrong. A transaction counts wrong answers, so simultaneous
 * answers count like successive ones.
 */
async function mustSolve(context: Book, drop: Drop, { claimant, answer }: Command): Promise<void> {
  const isSolved = isRight(drop.puzzle as PuzzleKind, drop.answer as string, answer)
  const key = { dropId: drop.id, member: claimant.id }
  const wrong = await context.commit({
    write: async (tx) => {
      const before = (await tx.dropAttempt.findUnique({ where: { dropId_member: key } }))?.wrong ?? 0
      if (before >= WRONG_ANSWERS) throw new TippingRefusal('drop-attempts-used', {})
      if (isSolved) return before
      const counted = { create: { ...key, wrong: 1 }, update: { wrong: before + 1 } }
      await tx.dropAttempt.upsert({ where: { dropId_member: key }, ...counted })
      return before + 1
    },
  })
  if (isSolved) return
  throw wrong >= WRONG_ANSWERS
    ? new TippingRefusal('drop-attempts-used', {})
    : new TippingRefusal('drop-answer-wrong', { left: WRONG_ANSWERS - wrong })
}

async function claim(
  context: TippingContext,
  drop: Drop,
  { claimant, origin }: Command,
  route: WalletRoute | undefined,
): Promise<string> {
  const member = claimant.id
  const [id, card, at] = [context.entropy.uuid(), context.entropy.uuid(), now(context)]
  const pays = !drop.draw && !drop.codes && route === undefined
  const payment = route && !drop.draw ? paymentsOf(drop, [{ id, member, card }], route, at) : undefined
  const lightningId = await lightningIdOf(context, member)
  const onward = pays ? [await shareOnward(context, { id, card, member, drop, at })] : []
  const moves = [{ from: pot(drop.id), to: memberAccount(member), amount: msats(drop.share) }]
  await context.commit({
    entries: pays ? [{ operation: id, step: 'post', moves }, ...onward.flatMap(({ entries }) => entries)] : [],
    rows: [
      operationRow({ id, verb: 'drop-claim', record: id, interaction: origin.interaction, createdAt: at }),
      ...onward.flatMap(({ rows }) => rows),
      context.cards.row({ id: card, kind: 'drop-claim', record: id, audience: { member }, origin }),
    ],
    write: async (tx) => {
      await noteMember(tx, member, at)
      await noteDue(context, tx, onward)
      const voucherId = await takeShare(context, tx, drop, member)
      await mustBeFirst(tx, drop.id, member, lightningId)
      await tx.dropClaim.create({
        data: {
          ...{ id, dropId: drop.id, member, lightningId, voucherId, card, createdAt: at },
          state: drop.draw ? 'entered' : 'given',
        },
      })
      if (payment !== undefined) await addPayments(tx, payment)
      await context.cards.raise(tx, [drop.card])
    },
  })
  if (payment !== undefined) startPayments(context, payment)
  await startOnward(context, onward)
  return id
}

/** Plans the forwarding of a credited share, if the share's recipient wants that. */
export async function shareOnward(
  context: TippingContext,
  claim: { id: string; card: string; member: string; drop: Drop; at: Date },
): Promise<Onward> {
  const { id: cause, card, member, drop, at } = claim
  const status = (await recipientStatuses(context.database.read, [member])).get(member)
  const gift = { cause, card, member, amount: msats(drop.share), description: 'A share of a drop', at }
  return planOnward(context, status, gift)
}

/**
 * Returns the id of the Lightning account that a member has linked now, or had linked last, because unlinking must not
 * give anybody a second share; null if there is none.
 */
async function lightningIdOf({ database }: ReadonlyBook, member: string): Promise<string | null> {
  const link = await database.read.link.findFirst({ where: { member }, orderBy: { createdAt: 'desc' } })
  return link?.lightningId ?? null
}

/**
 * Counts a share as taken, in the transaction that gives the share. Resolves to the voucher's id if the share is a
 * voucher, otherwise to null.
 */
async function takeShare(context: ReadonlyBook, tx: Tx, { id }: Drop, member: string): Promise<string | null> {
  const drop = await tx.drop.findUniqueOrThrow({ where: { id } })
  if (!drop.draw && drop.claimed >= drop.shares) throw new TippingRefusal('drop-empty', {})
  if (drop.state !== 'open') throw new TippingRefusal('drop-over', {})
  if (drop.draw) return null
  const voucher = drop.codes ? await tx.voucher.findFirst({ where: { dropId: id, state: 'live', holder: null } }) : null
  if (drop.codes && voucher === null) throw new TippingRefusal('drop-codes-coming', {})
  const claimed = drop.claimed + 1
  const end = claimed === drop.shares ? { state: 'closed', closedAt: now(context) } : {}
  await tx.drop.update({ where: { id, claimed: drop.claimed }, data: { claimed, ...end } })
  if (voucher === null) return null
  await tx.voucher.update({ where: { id: voucher.id, holder: null }, data: { holder: member } })
  return voucher.id
}

/**
 * Throws TippingRefusal `drop-taken` or `drop-lightning-taken` for a second share, which the database's unique keys
 * would forbid without an explanation.
 */
async function mustBeFirst(tx: Tx, dropId: string, member: string, lightningId: string | null): Promise<void> {
  // Stryker disable next-line ConditionalExpression: avoids a batch that the unique key of drop and member would
  // refuse.
  if (await tx.dropClaim.findFirst({ where: { dropId, member } })) throw new TippingRefusal('drop-taken', {})
  if (lightningId !== null && (await tx.dropClaim.findFirst({ where: { dropId, lightningId } }))) {
    throw new TippingRefusal('drop-lightning-taken', {})
  }
}
