import type { Clock } from '../clock.ts'
import { networksOf } from './public-address.ts'
import { createTokenBuckets, type TokenBuckets } from './token-buckets.ts'

/** Limits the requests of addresses. */
export interface AddressLimit {
  /** Takes one for the address and its networks. Returns 0 if each had one, else the whole seconds until they do. */
  take(address: string): number
}

/** How many single networks' limit a larger network gets: for IPv6 a /64, a /56, a /48. */
const WORTH = [1, 4, 16]

/**
 * Gives an IPv4 address, or an IPv6 /64, `perSecond` a second on average and `burst` at once (default: ten seconds'
 * worth). A /56 gets four times that, a /48 sixteen times, however many networks it contains. 0: no limit.
 */
export function createAddressLimit(clock: Clock, perSecond: number, burst = perSecond * 10): AddressLimit {
  const levels: readonly TokenBuckets[] = WORTH.map((worth) =>
    createTokenBuckets(clock, perSecond * worth, burst * worth),
  )
  return {
    take(address) {
      let wait = 0
      for (const [level, network] of networksOf(address).entries()) {
        // The narrowest comes first, so a caller who is refused there takes nothing from its neighbours.
        wait = levels[level]?.take(network) ?? 0
        if (wait > 0) break
      }
      return wait
    },
  }
}
