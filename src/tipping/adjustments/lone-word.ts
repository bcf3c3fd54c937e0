import type { Tx } from '../core/database.ts'
import type { TippingContext } from '../engine/tipping-context.ts'

const DELAY_MS = 24 * 3_600_000
/** The delay that seconds a lone operator. The database takes this name only once the delay has passed. */
export const DELAY = 'delay'
export const UNOPPOSED = 'a day has passed, and nobody has cancelled it'

/**
 * When a word that is said now takes effect by itself: a day from the latest time that the book or any clock here knows. Null
 * if a second operator must agree.
 */
export async function dueAlone(
  { settings, clockWatch }: Pick<TippingContext, 'settings' | 'clockWatch'>,
  tx: Tx,
): Promise<Date | null> {
  if (settings.operators === 'two') return null
  const kept = (await tx.bookTime.findFirst())?.at.getTime() ?? 0
  return new Date(Math.max(clockWatch.latest(), kept) + DELAY_MS)
}

/** The words whose time has come; undefined while the clock is doubted: then nothing takes effect. */
export function dueNow({ clockWatch }: Pick<TippingContext, 'clockWatch'>) {
  return clockWatch.isSteady() ? { state: 'proposed', dueAt: { lte: new Date(clockWatch.earliest()) } } : undefined
}

/** In the transaction: one bot of the book takes up such words. Throws OwnershipLost in any other. */
export function assertMayTakeEffect({ ownership }: Pick<TippingContext, 'ownership'>, tx: Tx): Promise<void> {
  return ownership.assertHas(tx, 'upkeep')
}
