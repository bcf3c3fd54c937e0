import { describe, expect, it } from 'vitest'
import { msats, sats } from '../../src/lib/money/amount.ts'
import { readAmount } from '../../src/tipping/core/read-amount.ts'
import { TippingRefusal } from '../../src/tipping/core/tipping-refusal.ts'

const rates = {
  toMsats(currency: string): never {
    throw new TippingRefusal('amount-needs-rate', { currency })
  },
}
const limits = { smallest: sats(1), largest: sats(10_000_000), rates }

describe('an amount as typed', () => {
  it.each([
    ['500', 500_000n],
    ['2.5k', 2_500_000n],
    ['0.001 btc', 100_000_000n],
    [' all ', 1_001_000n],
    ['HALF', 500_000n],
  ])('%j is %d msats', (text, amount) => {
    expect(readAmount(text, limits, sats(1_001))).toBe(amount)
  })

  it.each([
    ['', 'amount-not-understood'],
    ['ten', 'amount-not-understood'],
    ['9'.repeat(400), 'amount-not-understood'],
    ['1.000', 'amount-ambiguous'],
    ['0', 'amount-zero'],
    ['-5', 'amount-negative'],
    ['1.0001', 'amount-fraction-of-msat'],
    ['0.5', 'amount-too-small'],
    ['10,000,001', 'amount-too-large'],
    ['999 btc', 'amount-too-large'],
    ['$5', 'amount-needs-rate'],
  ])('%j is refused as %s', (text, code) => {
    expect(() => readAmount(text, limits, sats(1_001))).toThrow(expect.objectContaining({ code }))
  })

  it('of all or half must come to the smallest amount', () => {
    expect(() => readAmount('half', limits, msats(1_400n))).toThrow(
      expect.objectContaining({
        code: 'insufficient-funds',
        facts: { balance: 1_400n, needed: 2_000n, missing: 600n },
      }),
    )
  })

  it('knows no relation to a balance where there is none', () => {
    expect(() => readAmount('all', limits)).toThrow(expect.objectContaining({ code: 'amount-of-nothing' }))
  })
})
