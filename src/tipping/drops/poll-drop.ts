import { AlreadyWritten, InsufficientFunds } from '../../ledger/ledger.ts'
import { type Entropy, uniform } from '../../lib/entropy.ts'
import { type Msats, msats } from '../../lib/money/amount.ts'
import { member as memberAccount, pot } from '../core/chart-of-accounts.ts'
import { Overtaken } from '../core/commit-end.ts'
import { now, type ReadonlyBook } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { giverOf } from '../core/giver.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { noteDue, startOnward } from '../engine/gifts/onward.ts'
import { logModeration } from '../engine/moderation-log/log-moderation.ts'
import { addPayments, startPayments } from '../engine/own-wallets/wallet-gift.ts'
import { END, inMs, type Next } from '../engine/polling/poller.ts'
import { logReturn } from '../engine/spending/log-return.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Drop, DropClaim, PollJob } from '../generated/client.ts'
import { takeBackCodes } from '../vouchers/take-back-codes.ts'
import { shareOnward } from './claim-drop.ts'
import type { Drops, DropView } from './drops.ts'
import { viewDrop } from './view-drop.ts'
import { paymentsOf, routeOfDraw } from './wallet-shares.ts'

/** The pause before a drop is checked again while the clocks disagree. */
const UNSTEADY_MS = 60_000

/**
 * Ends a drop early, for its owner or a moderator. A moderator cannot trigger a draw, in which the moderator or a
 * friend may take part: instead, all sats go back. The card and the moderation log show who the moderator is.
 */
export async function closeDrop(context: TippingContext, command: Parameters<Drops['close']>[0]): Promise<DropView> {
  const drop = await context.database.read.drop.findUnique({ where: { id: command.drop } })
  if (drop === null || drop.state !== 'open') throw new TippingRefusal('drop-over', {})
  const moderates = command.moderator && drop.guild !== null && drop.guild === command.origin.guild
  if (drop.member !== command.member && !moderates) throw new TippingRefusal('drop-not-yours', {})
  await endDrop(context, drop.id, command.member)
  return await viewDrop(context, drop.id)
}

/** Ends a drop after its expiry, even if the bot was down at that time, unless the drop has already ended. */
export async function pollDrop(context: TippingContext, job: PollJob): Promise<Next> {
  const drop = await context.database.read.drop.findUniqueOrThrow({ where: { id: job.id } })
  const leftMs = drop.closesAt.getTime() - context.clock.now()
  if (leftMs > 0) return inMs(leftMs)
  if (!context.clockWatch.isSteady()) return inMs(UNSTEADY_MS)
  await endDrop(context, drop.id, null)
  return END
}

/**
 * Ends a drop: draws the winners of a draw, and returns what nobody took. Tries until the drop is closed, because
 * somebody may take a share between the reading and the writing.
 */
export async function endDrop(context: TippingContext, id: string, closedBy: string | null): Promise<void> {
  for (;;) {
    const drop = await context.database.read.drop.findUniqueOrThrow({ where: { id } })
    if (drop.state !== 'open') return
    try {
      await endOnce(context, drop, closedBy)
      return
    } catch (error) {
      const overtaken = error instanceof Overtaken || error instanceof InsufficientFunds
      if (!overtaken && !(error instanceof AlreadyWritten)) throw error
    }
  }
}

/** Gives a draw's winners their shares, returns the rest, and closes the drop, all in one transaction. */
async function endOnce(context: TippingContext, drop: Drop, closedBy: string | null): Promise<void> {
  const { id, share, shares } = drop
  const at = now(context)
  const owner = drop.member
  const moderator = closedBy === null || closedBy === owner ? undefined : closedBy
  const entrants = await context.database.read.dropClaim.findMany({ where: { dropId: id, state: 'entered' } })
  const codes = await freeCodes(context, id)
  const places = drop.codes ? codes.length : shares
  const route = drop.draw ? await routeOfDraw(context, drop, entrants) : undefined
  const drawn = entrants.filter(({ member }) => route?.receivers.has(member) ?? true)
  const winners = drawFrom(context.entropy, drawn, moderator === undefined ? places : 0)
  const paid = drop.codes || drop.connection !== null ? [] : winners
  const payments = route && paymentsOf(drop, winners, route, at)
  const onward = await Promise.all(
    paid.map(({ id: claim, card, member }) => shareOnward(context, { id: claim, card, member, drop, at })),
  )
  const isPot = !drop.codes && drop.connection === null
  const rest = msats(isPot ? share * BigInt(shares - drop.claimed - winners.length) : 0n)
  const back = { from: pot(id), to: giverOf({ giver: owner, pool: drop.pool }).account, amount: rest }
  await context.commit({
    entries: [
      ...paid.map(({ id: claim, member }) => ({
        operation: claim,
        step: 'post',
        moves: [{ from: pot(id), to: memberAccount(member), amount: msats(share) }],
      })),
      ...onward.flatMap(({ entries }) => entries),
      ...(rest > 0n ? [{ operation: id, step: 'void', moves: [back] }] : []),
    ],
    rows: onward.flatMap(({ rows }) => rows),
    write: async (tx) => {
      const { count } = await tx.drop.updateMany({
        where: { id, state: 'open', claimed: drop.claimed },
        data: { state: 'closed', closedAt: at, closedBy, claimed: { increment: winners.length } },
      })
      const entered = await tx.dropClaim.count({ where: { dropId: id, state: 'entered' } })
      if (count !== 1 || entered !== entrants.length) throw new Overtaken(`drop ${id} has moved on`)
      await noteDue(context, tx, onward)
      for (const [i, { id: claim, member }] of winners.entries()) {
        const voucherId = drop.codes ? (codes[i] ?? null) : null
        await tx.dropClaim.update({ where: { id: claim }, data: { state: 'given', voucherId } })
        if (voucherId) await tx.voucher.update({ where: { id: voucherId, holder: null }, data: { holder: member } })
      }
      await tx.dropClaim.updateMany({ where: { dropId: id, state: 'entered' }, data: { state: 'missed' } })
      if (payments !== undefined) await addPayments(tx, payments)
      // Codes that nobody took.
      await takeBackCodes(tx, { dropId: id, holder: null }, at)
      if (drop.draw && winners.length > 0) {
        const announcement = { kind: 'drop-drawn', record: id, audience: { channel: drop.channel } } as const
        await tx.card.create({ data: context.cards.values({ id: context.entropy.uuid(), ...announcement }) })
      }
      await context.cards.raise(tx, [drop.card, ...entrants.map(({ card }) => card)])
      await logEnd(context, tx, drop, { closedBy, rest })
    },
  })
  if (payments !== undefined) startPayments(context, payments)
  await startOnward(context, onward)
  void context.poller.wake()
}

/**
 * Logs a drop that a moderator closed, and the sum that came back to the pool. Unclaimed codes come back later, one by
 * one.
 */
async function logEnd(
  context: TippingContext,
  tx: Tx,
  { id, guild, member: owner, pool, connection, share, shares, claimed }: Drop,
  { closedBy, rest }: { readonly closedBy: string | null; readonly rest: Msats },
): Promise<void> {
  if (closedBy !== null && closedBy !== owner && guild !== null) {
    const goesToPool = pool !== null && connection === null
    const about = { drop: id, of: owner, ...(!goesToPool && { amount: share * BigInt(shares - claimed) }) }
    await logModeration(context, tx, { guild, member: closedBy, action: 'drop-closed', about })
  }
  await logReturn(context, tx, { pool, by: closedBy, record: id, amount: rest })
}

async function freeCodes({ database }: ReadonlyBook, dropId: string): Promise<string[]> {
  const free = await database.read.voucher.findMany({ where: { dropId, state: 'live', holder: null } })
  return free.map((voucher) => voucher.id)
}

/** Draws at most `most` entrants without replacement; every entrant is equally likely to be drawn. */
function drawFrom(entropy: Entropy, entrants: readonly DropClaim[], most: number): DropClaim[] {
  const left = [...entrants]
  const drawn: DropClaim[] = []
  while (drawn.length < most && left.length > 0) drawn.push(...left.splice(uniform(entropy, left.length), 1))
  return drawn
}
