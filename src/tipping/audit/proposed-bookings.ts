import type { Tx } from '../core/database.ts'

/** How long a proposal waits for a second operator. */
export const WAITS_MS = 24 * 3_600_000

/**
 * Returns the condition for waiting bookings: they wait a day for a second operator, or, with one operator, until they
 * take effect.
 */
export function waiting(now: number) {
  return { state: 'proposed', OR: [{ dueAt: { not: null } }, { proposedAt: { gt: new Date(now - WAITS_MS) } }] }
}

/**
 * Returns the operators' claimed payments that wait, in msats. They explain a surplus, so no audit books it as unowned.
 */
export async function proposedTopUps(client: Tx, now: number): Promise<bigint> {
  const { _sum } = await client.booking.aggregate({
    where: { what: 'top-up', ...waiting(now) },
    _sum: { amount: true },
  })
  return _sum.amount ?? 0n
}
