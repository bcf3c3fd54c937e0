import type { Clock } from '../clock.ts'
import { networksOf } from './public-address.ts'
import { createTokenBuckets, type TokenBuckets } from './token-buckets.ts'

/** A limit on the requests from each address. */
export interface AddressLimit {
  /**
   * Counts a request for the address and its networks. Returns 0 if the request is permitted, else the number of whole
   * seconds to wait.
   */
  take(address: string): number
}

/** The limits of an IPv6 /64, /56 and /48, as multiples of a single IPv4 address's limit. */
const WORTH = [1, 4, 16]

/**
 * Creates a limit. An IPv4 address, or an IPv6 /64, may send `perSecond` requests a second on average and `burst` at
 * once (default: ten seconds' worth). A /56 may send four times as many, a /48 sixteen times as many, however many
 * smaller networks send them. If `perSecond` is 0, there is no limit.
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
