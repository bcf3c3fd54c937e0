import { msats } from '../../lib/money/amount.ts'
import type { Tx } from '../core/database.ts'
import { logReturnedParts, returnedByDecision } from '../engine/spending/log-return.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { OPEN_STATES } from './open-withdrawals.ts'

/**
 * Logs the sum of those lines of a pool's list of Lightning Addresses that were returned since the last entry of the
 * log, once no other line can still be returned. Call it after the state of the given line, or of its payment, has
 * changed.
 */
export async function logReturnedLines(
  context: Pick<TippingContext, 'clock' | 'entropy' | 'cards'>,
  tx: Tx,
  line: string,
): Promise<void> {
  const ended = await tx.addressLine.findUnique({ where: { id: line } })
  if (ended === null) return
  const { listId, guild, card } = ended
  // These two look-ups come first, because they are all that most lines of a long list need.
  if ((await tx.addressLine.count({ where: { listId, state: 'waiting' } })) > 0) return
  if ((await tx.withdrawal.count({ where: { card, pool: guild, state: { in: OPEN_STATES } } })) > 0) return
  const lines = await tx.addressLine.findMany({ where: { listId, state: 'sent' }, select: { id: true } })
  const sent = lines.map(({ id }) => id)
  const _sum = { amount: true, feeLimit: true } as const
  const decided = await returnedByDecision(tx, sent)
  const sums = [
    await tx.addressLine.aggregate({ where: { listId, state: 'returned' }, _sum }),
    await tx.withdrawal.aggregate({ where: { id: { in: sent }, state: 'returned' }, _sum }),
    await tx.withdrawal.aggregate({ where: { id: { in: decided }, state: { not: 'returned' } }, _sum }),
  ]
  const amount = msats(sums.reduce((sum, each) => sum + (each._sum.amount ?? 0n) + (each._sum.feeLimit ?? 0n), 0n))
  await logReturnedParts(context, tx, { pool: guild, by: async () => null, record: listId, amount })
}
