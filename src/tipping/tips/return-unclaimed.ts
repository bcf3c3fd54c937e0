import { msats } from '../../lib/money/amount.ts'
import { commitEnd } from '../core/commit-end.ts'
import { now } from '../core/context.ts'
import { giverOf } from '../core/giver.ts'
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

/** Returns all unclaimed tips, because nobody can claim one after the bot has ended. */
export async function returnAllUnclaimed(context: TippingContext): Promise<void> {
  while ((await giveBack(context, { state: 'parked' })) > 0);
}

/** Returns tips a batch at a time. Resolves to their number. */
async function giveBack(context: TippingContext, where: Prisma.TipShareWhereInput): Promise<number> {
  const expired = await context.database.read.tipShare.findMany({ where, include: { tip: true }, take: BATCH_SIZE })
  await Promise.all(
    expired.map(async ({ id, amount, tip }) => {
      const giver = giverOf({ giver: tip.sender, pool: tip.pool })
      const moves = [{ from: giver.held, to: giver.account, amount: msats(amount) }]
      // A tip that was claimed at the last moment has already ended.
      await commitEnd(context, {
        entries: [{ operation: id, step: 'void', moves }],
        write: async (tx) => {
          await tx.tipShare.update({ where: { id, state: 'parked' }, data: { state: 'returned' } })
          await context.cards.raise(tx, [tip.card])
        },
      })
    }),
  )
  return expired.length
}
