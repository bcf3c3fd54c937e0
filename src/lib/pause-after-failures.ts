const FIRST_MS = 1_000
const MAX_MS = 60_000

/**
 * Returns the milliseconds to wait after `failures` consecutive failures (one or more): the first pause, doubled after
 * each further failure, up to the longest. The defaults suit background work that fails for a local reason, such as the
 * disk.
 */
export function pauseAfterFailures(failures: number, firstMs = FIRST_MS, maxMs = MAX_MS): number {
  return Math.min(firstMs * 2 ** (failures - 1), maxMs)
}
