const FIRST_MS = 1_000
const MAX_MS = 60_000

/**
 * Milliseconds to wait after this many failures in a row, at least one: the first pause, twice as long after each further failure, up to
 * the longest. The defaults suit work in the background that fails for a reason of this machine, such as its disk.
 */
export function pauseAfterFailures(failures: number, firstMs = FIRST_MS, maxMs = MAX_MS): number {
  return Math.min(firstMs * 2 ** (failures - 1), maxMs)
}
