import { msats } from '../../lib/money/amount.ts'
import { commitEnd, Overtaken } from '../core/commit-end.ts'
import { now } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { giverOf } from '../core/giver.ts'
import { logReturn } from '../engine/spending/log-return.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Prisma } from '../generated/client.ts'

const BATCH_SIZE = 100

/**
 * Returns expired unclaimed tips to their senders. Does nothing while the wall clock and the monotonic clock disagree,
 * because a wrong clock must not cost anybody a tip.
 */
export async function returnUnclaimed(context: TippingContext): Promise<void> {
  if (!context.clockWatch.isSteady()) return
  await giveBack(context, { state: 'parked', until: { lte: now(context) } })
}

/** Returns all unclaimed tips to their senders, because nobody can claim a tip after the bot has ended. */
export async function returnAllUnclaimed(context: TippingContext): Promise<void> {
  while ((await giveBack(context, { state: 'parked' })) > 0);
}

/** Returns one batch of shares to their senders, and resolves to the number of these shares. */
async function giveBack(context: TippingContext, where: Prisma.TipShareWhereInput): Promise<number> {
  const expired = await context.database.read.tipShare.findMany({ where, include: { tip: true }, take: BATCH_SIZE })
  const byTip = Map.groupBy(expired, ({ tipId }) => tipId)
  await Promise.all([...byTip.values()].map((shares) => giveBackShares(context, shares)))
  return expired.length
}

type Share = Prisma.TipShareGetPayload<{ include: { tip: true } }>

/**
 * Returns these shares of one tip to its sender. If a share was claimed at the last moment, the next call returns the
 * others.
 */
async function giveBackShares(context: TippingContext, shares: readonly Share[]): Promise<void> {
  const [first] = shares
  if (first === undefined) return
  const { sender, pool, card } = first.tip
  const giver = giverOf({ giver: sender, pool })
  await commitEnd(context, {
    entries: shares.map(({ id, amount }) => {
      return { operation: id, step: 'void', moves: [{ from: giver.held, to: giver.account, amount: msats(amount) }] }
    }),
    write: async (tx) => {
      const where = { id: { in: shares.map(({ id }) => id) }, state: 'parked' }
      const { count } = await tx.tipShare.updateMany({ where, data: { state: 'returned' } })
      if (count !== shares.length) throw new Overtaken(`a share of the tip ${first.tipId} has moved on`)
      await context.cards.raise(tx, [card])
      const amount = msats(shares.reduce((sum, share) => sum + share.amount, 0n))
      await logReturn(context, tx, { pool, by: null, record: await recordOf(tx, first), amount })
    },
  })
}

/**
 * Returns the id by which a reward refers to a returned share: the share's own id if the reward is for one person,
 * otherwise the tip's.
 */
async function recordOf(tx: Tx, { id, tipId }: Share): Promise<string> {
  return (await tx.reward.count({ where: { id } })) > 0 ? id : tipId
}
