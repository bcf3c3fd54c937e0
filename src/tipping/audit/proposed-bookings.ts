import type { Tx } from '../core/database.ts'

/** A proposal waits so long for a second operator. */
export const WAITS_MS = 24 * 3_600_000

/** Bookings that wait: for a second operator for a day, or, where there is one operator, for their own day. */
export function waiting(now: number) {
  return { state: 'proposed', OR: [{ dueAt: { not: null } }, { proposedAt: { gt: new Date(now - WAITS_MS) } }] }
}

/** Operators' claimed payments and those that wait, in msats. It is explained, so no audit takes it for nobody's. */
export async function proposedTopUps(client: Tx, now: number): Promise<bigint> {
  const { _sum } = await client.booking.aggregate({
    where: { what: 'top-up', ...waiting(now) },
    _sum: { amount: true },
  })
  return _sum.amount ?? 0n
}
