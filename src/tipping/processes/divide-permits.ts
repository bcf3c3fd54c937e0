import { type CallsWanted, URGENCIES } from './call-budget.ts'

/**
 * The number of equal parts of all permits. Each process gets at least one part, or an equal share if there are more
 * processes than parts, so that its first calls after a rest need no request.
 */
const FLOOR_PARTS = 9

/**
 * Returns how many permits each process gets. All get the same minimum. The rest goes to those that want more, as
 * equally as possible, for the most urgent calls first. Permits that nobody wants are left over.
 */
export function dividePermits(pool: number, wanting: readonly CallsWanted[]): number[] {
  const floor = Math.floor(pool / Math.max(FLOOR_PARTS, wanting.length))
  const shares = wanting.map(() => floor)
  const wanted = wanting.map(() => 0)
  let left = pool - floor * wanting.length
  for (const urgency of URGENCIES) {
    for (const [at, one] of wanting.entries()) wanted[at] = (wanted[at] ?? 0) + one[urgency]
    while (left > 0) {
      const next = poorest(shares, wanted)
      if (next === undefined) break
      shares[next] = (shares[next] ?? 0) + 1
      left -= 1
    }
  }
  return shares
}

/** Returns the process with the fewest permits among those that want more; undefined if none does. */
function poorest(shares: readonly number[], wanted: readonly number[]): number | undefined {
  const hungry = [...shares.keys()].filter((at) => (shares[at] ?? 0) < (wanted[at] ?? 0))
  if (hungry.length === 0) return undefined
  return hungry.reduce((one, other) => ((shares[other] ?? 0) < (shares[one] ?? 0) ? other : one))
}
