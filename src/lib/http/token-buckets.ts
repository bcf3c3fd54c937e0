import type { Clock } from '../clock.ts'
import { NewestNames } from '../newest-names.ts'

/** A limit on the requests of each name. */
export interface TokenBuckets {
  /** Counts a request for `name`. Returns 0 if the request is permitted, else the number of whole seconds to wait. */
  take(name: string): number
}

/** The most names that are remembered. Without this limit, a flood of new names could fill the memory. */
const MAX_NAMES = 10_000

/**
 * Creates a limit: every name may send `perSecond` requests a second on average, and `burst` at once (default: ten
 * seconds' worth). If `perSecond` is 0, there is no limit. Each name is a bucket that refills over time. Beyond 10,000
 * names, only the least recently used name is dropped, so a flood of new names does not refill everybody's bucket.
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
