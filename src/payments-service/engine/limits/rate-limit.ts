import type { Clock } from '../../../lib/clock.ts'
import { createAddressLimit } from '../../../lib/http/address-limit.ts'
import { createTokenBuckets } from '../../../lib/http/token-buckets.ts'
import { ServiceRefusal } from '../../core/service-refusal.ts'

/** Limits requests by caller. */
export interface RateLimit {
  /** Throws ServiceRefusal (rate_limited, with Retry-After) if `name` has made too many requests recently. */
  take(name: string): void
}

/** Allows each name `perSecond` requests a second on average, and ten seconds' worth at once. 0: no limit. */
export function createRateLimit(clock: Clock, perSecond: number): RateLimit {
  return refusing(createTokenBuckets(clock, perSecond))
}

/**
 * Does the same for addresses, and for the networks around them. `burst`: how many at once, if not ten seconds' worth.
 */
export function createAddressRateLimit(clock: Clock, perSecond: number, burst?: number): RateLimit {
  return refusing(createAddressLimit(clock, perSecond, burst))
}

function refusing(limit: { take(name: string): number }): RateLimit {
  return {
    take(name) {
      const wait = limit.take(name)
      if (wait === 0) return
      throw new ServiceRefusal('rate_limited', `Too many requests. Try again in ${wait} s.`, {
        'retry-after': String(wait),
      })
    },
  }
}
