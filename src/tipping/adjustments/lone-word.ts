import type { Tx } from '../core/database.ts'
import type { TippingContext } from '../engine/tipping-context.ts'

const DELAY_MS = 24 * 3_600_000
/**
 * The name that stands for the second operator when a single operator's proposal takes effect. The database accepts it
 * only after the delay.
 */
export const DELAY = 'delay'
export const UNOPPOSED = 'a day has passed, and nobody has cancelled it'

/**
 * Returns when a proposal made now takes effect without a second operator: a day after the latest time that the book or
 * any clock here shows. Returns null if a second operator must agree.
 */
export async function dueAlone(
  { settings, clockWatch }: Pick<TippingContext, 'settings' | 'clockWatch'>,
  tx: Tx,
): Promise<Date | null> {
  if (settings.operators === 'two') return null
  const kept = (await tx.bookTime.findFirst())?.at.getTime() ?? 0
  return new Date(Math.max(clockWatch.latest(), kept) + DELAY_MS)
}

/**
 * Returns the condition for proposals that take effect now; undefined while the clock is doubted, because no proposal
 * takes effect then.
 */
export function dueNow({ clockWatch }: Pick<TippingContext, 'clockWatch'>) {
  return clockWatch.isSteady() ? { state: 'proposed', dueAt: { lte: new Date(clockWatch.earliest()) } } : undefined
}

/**
 * Asserts in a transaction that this bot is the one that applies single operators' proposals to the book. Throws
 * OwnershipLost otherwise.
 */
export function assertMayTakeEffect({ ownership }: Pick<TippingContext, 'ownership'>, tx: Tx): Promise<void> {
  return ownership.assertHas(tx, 'upkeep')
}
