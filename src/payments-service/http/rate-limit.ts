import type { Clock } from '../../lib/clock.ts'
import { createTokenBuckets } from '../../lib/http/token-buckets.ts'
import { ServiceRefusal } from '../service-refusal.ts'

/** Counts requests by whoever makes them. */
export interface RateLimit {
  /** Throws ServiceRefusal (rate_limited, with Retry-After) when `name` has asked for too much lately. */
  take(name: string): void
}

/** Lets everybody have `perSecond` requests a second on average, and ten seconds' worth at once. 0: no limit. */
export function createRateLimit(clock: Clock, perSecond: number): RateLimit {
  const buckets = createTokenBuckets(clock, perSecond)
  return {
    take(name) {
      const wait = buckets.take(name)
      if (wait === 0) return
      throw new ServiceRefusal('rate_limited', `Too many requests. Try again in ${wait} s.`, {
        'retry-after': String(wait),
      })
    },
  }
}
