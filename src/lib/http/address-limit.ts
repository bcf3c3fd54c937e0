import type { Clock } from '../clock.ts'
import { networksOf } from './public-address.ts'
import { createTokenBuckets, type TokenBuckets } from './token-buckets.ts'

/** Counts what addresses ask for. */
export interface AddressLimit {
  /** Takes one for the address and the networks around it: 0 when each had one, else the whole seconds until they do. */
  take(address: string): number
}

/** How many single networks' worth a network may ask for that holds many of them: of IPv6 a /64, a /56, a /48. */
const WORTH = [1, 4, 16]

/**
 * Lets an IPv4 address, or an IPv6 /64, have `perSecond` a second on average and `burst` at once (default: ten seconds'
 * worth). A /56 has four times that, a /48 sixteen times, however many networks are in it. 0: no limit.
 */
export function createAddressLimit(clock: Clock, perSecond: number, burst = perSecond * 10): AddressLimit {
  const levels: readonly TokenBuckets[] = WORTH.map((worth) =>
    createTokenBuckets(clock, perSecond * worth, burst * worth),
  )
  return {
    take(address) {
      let wait = 0
      for (const [level, network] of networksOf(address).entries()) {
        // The narrowest first: who is refused there takes nothing from the neighbours.
        wait = levels[level]?.take(network) ?? 0
        if (wait > 0) break
      }
      return wait
    },
  }
}
