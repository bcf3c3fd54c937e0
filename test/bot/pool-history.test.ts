import { describe, expect, it } from 'vitest'
import { poolDays } from '../../src/bot/pools/history-picture.ts'
import { msats } from '../../src/lib/money/amount.ts'
import type { PoolLine } from '../../src/tipping/tipping.ts'

const NOW = new Date('2030-05-20T12:00:00Z')
const unnamed = { member: undefined, recipient: undefined, reason: undefined, rule: undefined, apiKey: undefined }

/** Returns the lines of a pool's history for these moves, which are given in the order in which they happened. */
function linesOf(...moves: readonly (readonly [day: 19 | 20, what: PoolLine['what'], amount: bigint])[]): PoolLine[] {
  let balance = 0n
  const lines = moves.map(([day, what, amount], index): PoolLine => {
    balance += amount
    const at = new Date(`2030-05-${day}T0${index}:00:00Z`)
    return { ...unnamed, at, what, amount, balance: msats(balance), operation: `operation ${index}` }
  })
  return lines.toReversed()
}

describe('the daily figures of a pool', () => {
  it('distinguish contributions from returned sats, and add up to the pool’s balance', () => {
    const lines = linesOf(
      ...([
        [19, 'charge', 1_000n],
        [19, 'gift', 500n],
        [19, 'drop', -300n],
        [20, 'returned', 200n],
        // Set aside, approved and given: it left once.
        [20, 'asked', -400n],
        [20, 'approved', 400n],
        [20, 'giveaway', -400n],
      ] as const),
    )
    expect(poolDays(lines, 1_000n, NOW, 2)).toEqual([
      { day: new Date('2030-05-19T00:00:00Z'), in: 1_500n, returned: 0n, out: -300n, balance: 1_200n },
      { day: new Date('2030-05-20T00:00:00Z'), in: 0n, returned: 200n, out: -400n, balance: 1_000n },
    ])
  })
})
