import { describe, expect, it } from 'vitest'
import { createAddressLimit } from '../../../src/lib/http/address-limit.ts'
import { createTokenBuckets } from '../../../src/lib/http/token-buckets.ts'
import { ManualClock } from '../../support/manual-clock.ts'

describe('an address', () => {
  it('can send a burst and then requests at the set rate, whatever other addresses do', async () => {
    const clock = new ManualClock()
    const limit = createAddressLimit(clock, 0.5, 3)
    const take = (address: string) => limit.take(address)
    expect([1, 2, 3, 4].map(() => take('192.0.2.7'))).toEqual([0, 0, 0, 2])
    expect(take('192.0.2.8')).toBe(0)
    await clock.advance(2_000)
    expect([take('192.0.2.7'), take('192.0.2.7')]).toEqual([0, 2])
  })

  it('shares limits with its IPv6 neighbours in the same /56 and /48', () => {
    const limit = createAddressLimit(new ManualClock(), 1, 2)
    const granted = (addresses: readonly string[]) => addresses.filter((address) => limit.take(address) === 0).length
    const networks = (from: number, count: number) =>
      Array.from({ length: count }, (_, i) => `2606:4700:1:${(from + i).toString(16)}::1`)
    expect(granted(networks(0, 1).flatMap((one) => [one, one, one]))).toBe(2)
    // The rest of that /56: eight in all.
    expect(granted(networks(1, 200))).toBe(6)
    // Other /56s of that /48: thirty-two in all.
    expect(granted(Array.from({ length: 100 }, (_, i) => `2606:4700:1:${(i + 1).toString(16)}00::1`))).toBe(24)
    expect(limit.take('2606:4700:2::1')).toBe(0)
  })

  it('is not limited if the rate is 0', () => {
    const limit = createAddressLimit(new ManualClock(), 0)
    expect(Array.from({ length: 1_000 }, () => limit.take('192.0.2.7')).every((wait) => wait === 0)).toBe(true)
  })
})

it('a flood of new names does not refill an active name’s bucket', () => {
  const buckets = createTokenBuckets(new ManualClock(), 1, 2)
  const refused = Array.from({ length: 30_000 }, (_, i) => {
    buckets.take(`name ${i}`)
    return i % 100 === 0 ? buckets.take('flooded') : undefined
  }).filter((wait) => wait !== undefined)
  expect(refused.filter((wait) => wait === 0)).toHaveLength(2)
})
