import type { Clock } from '../clock.ts'
import { NewestNames } from '../newest-names.ts'

/** Limits requests by name. */
export interface TokenBuckets {
  /** Takes one for `name`. Returns 0 if there was one, else the whole seconds until there is. */
  take(name: string): number
}

/** The most names that are remembered, so that a flood of new ones cannot fill the memory. */
const MAX_NAMES = 10_000

/**
 * Gives every name `perSecond` a second on average, and `burst` at once (default: ten seconds' worth). 0: no limit.
 * Each name is a bucket that refills over time. Beyond 10,000 names, the least recently used one is dropped, so a flood
 * of new names does not refill everybody's bucket.
 */
export function createTokenBuckets(clock: Clock, perSecond: number, burst = perSecond * 10): TokenBuckets {
  const buckets = new NewestNames<{ tokens: number; at: number }>(MAX_NAMES)
  return {
    take(name) {
      if (perSecond <= 0) return 0
      const now = clock.monotonic()
      const bucket = buckets.use(name, () => ({ tokens: burst, at: now }))
      bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1_000) * perSecond)
      bucket.at = now
      if (bucket.tokens < 1) return Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond))
      bucket.tokens -= 1
      return 0
    },
  }
}
