import type { Clock } from '../../../lib/clock.ts'
import { createAddressLimit } from '../../../lib/http/address-limit.ts'
import { createTokenBuckets } from '../../../lib/http/token-buckets.ts'
import { ServiceRefusal } from '../../core/service-refusal.ts'

/** Limits requests per caller. */
export interface RateLimit {
  /** Throws ServiceRefusal (rate_limited, with Retry-After) if `name` has made too many requests recently. */
  take(name: string): void
}

/**
 * Allows each name `perSecond` requests a second on average, and ten seconds' worth at once. `perSecond` 0: no limit.
 */
export function createRateLimit(clock: Clock, perSecond: number): RateLimit {
  return refusing(createTokenBuckets(clock, perSecond))
}

/**
 * Allows each address `perSecond` requests a second on average, and the networks around it a multiple of that. `burst`
 * is the number of requests that an address may send at once, by default ten seconds' worth.
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
