import { msats } from '../../../lib/money/amount.ts'
import type { Tx } from '../../core/database.ts'
import type { TippingContext } from '../tipping-context.ts'
import { logReturnedParts } from './log-return.ts'

/**
 * Logs the lines to Lightning Addresses of a pool's list that came back since the last line of the log, once no other
 * one may still come back. Call it after the state of this line, or of its payment, has changed.
 */
export async function logReturnedLines(
  context: Pick<TippingContext, 'clock' | 'entropy' | 'cards'>,
  tx: Tx,
  line: string,
): Promise<void> {
  const ended = await tx.addressLine.findUnique({ where: { id: line }, select: { listId: true, guild: true } })
  if (ended === null) return
  const { listId, guild } = ended
  const lines = await tx.addressLine.findMany({ where: { listId } })
  const sent = lines.filter(({ state }) => state === 'sent').map(({ id }) => id)
  const payments = await tx.withdrawal.findMany({ where: { id: { in: sent } }, select: { id: true, state: true } })
  const returned = new Set(payments.filter(({ state }) => state === 'returned').map(({ id }) => id))
  const isOver = lines.every(({ state }) => state !== 'waiting') && payments.every(({ state }) => ENDS.includes(state))
  if (!isOver) return
  const back = lines.filter(({ id, state }) => state === 'returned' || returned.has(id))
  const amount = msats(back.reduce((sum, each) => sum + each.amount + each.feeLimit, 0n))
  await logReturnedParts(context, tx, { pool: guild, by: null, record: listId, amount })
}

const ENDS = ['paid', 'returned']
