import type { Tx } from '../core/database.ts'

/** How long a proposed booking waits for a second operator. */
export const WAITS_MS = 24 * 3_600_000

/**
 * Returns the condition for waiting bookings: they wait a day for a second operator or, if there is only one operator,
 * until they take effect.
 */
export function waiting(now: number) {
  return { state: 'proposed', OR: [{ dueAt: { not: null } }, { proposedAt: { gt: new Date(now - WAITS_MS) } }] }
}

/**
 * Returns the sum of waiting bookings of payments into the wallet, in msats. Such payments can explain a surplus, so no
 * audit books that sum to suspense.
 */
export async function proposedTopUps(client: Tx, now: number): Promise<bigint> {
  const { _sum } = await client.booking.aggregate({
    where: { what: 'top-up', ...waiting(now) },
    _sum: { amount: true },
  })
  return _sum.amount ?? 0n
}
