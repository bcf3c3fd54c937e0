export const MAX_PAUSE_MS = 14_400_000
/**
 * The pauses in ms after a callback's failed attempts. The last one repeats until the callback is dead-lettered, after
 * three days in all.
 */
const PAUSES_MS = [5_000, 15_000, 60_000, 300_000, 900_000, 3_600_000, MAX_PAUSE_MS]
const THREE_DAYS_MS = 259_200_000

/**
 * Returns the pause in ms after a failed attempt that follows `attempts` others; undefined when the three days are
 * over.
 */
export function pauseAfter(attempts: number): number | undefined {
  const pauseOf = (attempt: number) => PAUSES_MS[Math.min(attempt, PAUSES_MS.length - 1)] ?? 0
  let spent = 0
  for (let attempt = 0; attempt <= attempts; attempt += 1) spent += pauseOf(attempt)
  return spent > THREE_DAYS_MS ? undefined : pauseOf(attempts)
}
