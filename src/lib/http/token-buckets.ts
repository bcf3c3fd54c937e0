import type { Clock } from '../clock.ts'

/** Counts what everybody asks for, by name. */
export interface TokenBuckets {
  /** Takes one for `name`: 0 when there was one, else the whole seconds until there is. */
  take(name: string): number
}

/** Names remembered at most: a flood of new ones cannot fill the memory. */
const MAX_NAMES = 10_000

/**
 * Lets everybody have `perSecond` a second on average, and ten seconds' worth at once. 0: no limit. Each name is a
 * bucket that fills by itself.
 */
export function createTokenBuckets(clock: Clock, perSecond: number): TokenBuckets {
  const most = perSecond * 10
  const buckets = new Map<string, { tokens: number; at: number }>()
  return {
    take(name) {
      if (perSecond <= 0) return 0
      const now = clock.monotonic()
      let bucket = buckets.get(name)
      if (bucket === undefined) {
        if (buckets.size >= MAX_NAMES) forgetFull(buckets, now, most / perSecond)
        bucket = { tokens: most, at: now }
        buckets.set(name, bucket)
      }
      bucket.tokens = Math.min(most, bucket.tokens + ((now - bucket.at) / 1_000) * perSecond)
      bucket.at = now
      if (bucket.tokens < 1) return Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond))
      bucket.tokens -= 1
      return 0
    },
  }
}

/** A bucket that nobody took from for long enough is full, and as good as none. */
function forgetFull(buckets: Map<string, { at: number }>, now: number, fullAfterSeconds: number): void {
  for (const [name, bucket] of buckets) if (now - bucket.at >= fullAfterSeconds * 1_000) buckets.delete(name)
  if (buckets.size >= MAX_NAMES) buckets.clear()
}
