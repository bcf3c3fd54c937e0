const FIRST_MS = 1_000
const MAX_MS = 60_000

/**
 * Milliseconds to wait after so many failures in a row, one at least: a second first, then twice as long after each, up to
 * a minute. For work in the background that fails for a reason of this machine, such as its disk.
 */
export function pauseAfterFailures(failures: number): number {
  return Math.min(FIRST_MS * 2 ** (failures - 1), MAX_MS)
}
