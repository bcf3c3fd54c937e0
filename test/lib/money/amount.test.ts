import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  ceilDivide,
  feeLimit,
  formatSats,
  largestSendable,
  MAX_MSATS,
  msats,
  parseWireMsats,
  sats,
} from '../../../src/lib/money/amount.ts'

describe('the function parseWireMsats', () => {
  it.each(['0', '1', '1000', '2100000000000000000'])('accepts %s', (text) => {
    expect(parseWireMsats(text)).toBe(BigInt(text))
  })

  it.each([
    '',
    '-1',
    '+1',
    '01',
    '1.0',
    '1e3',
    ' 1',
    '1 ',
    '0x10',
    '٣',
    '2100000000000000001',
    1000,
    null,
    undefined,
    1n,
  ])('refuses %s', (text) => {
    expect(parseWireMsats(text)).toBeUndefined()
  })
})

describe('the fee limit', () => {
  it('is the given percentage rounded up to a whole sat, but at least 10 sats', () => {
    expect(feeLimit(sats(1), 1)).toBe(sats(10))
    expect(feeLimit(sats(1_000), 1)).toBe(sats(10))
    expect(feeLimit(sats(1_001), 1)).toBe(sats(11))
    expect(feeLimit(sats(100_000), 1)).toBe(sats(1_000))
    expect(feeLimit(sats(100_000), 0.5)).toBe(sats(500))
  })
})

const onePercent = (amount: ReturnType<typeof msats>) => feeLimit(amount, 1)

describe('the largest amount that can be sent', () => {
  it('leaves room for its fee limit, but one more sat would not', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: sats(100_000_000) }), (value) => {
        const balance = msats(value)
        const amount = largestSendable(balance, onePercent)
        if (amount > 0n) expect(amount + onePercent(amount)).toBeLessThanOrEqual(balance)
        const more = sats(amount / 1_000n + 1n)
        expect(more + onePercent(more)).toBeGreaterThan(balance)
      }),
    )
  })

  it('is the balance, rounded down to a whole sat, if there is no fee', () => {
    expect(largestSendable(MAX_MSATS, () => msats(0))).toBe(MAX_MSATS)
    expect(largestSendable(msats(1_999), () => msats(0))).toBe(sats(1))
    expect(largestSendable(msats(999), () => msats(0))).toBe(0n)
  })
})

describe('a division that is rounded up', () => {
  it('adds 1 only if there is a remainder', () => {
    expect([0n, 1n, 9n, 10n, 11n].map((value) => ceilDivide(value, 5n))).toEqual([0n, 1n, 2n, 2n, 3n])
  })
})

describe('a formatted amount of sats', () => {
  it('has no minus sign if the amount is 0', () => {
    expect(formatSats(0n)).toBe('0')
  })

  it('has the thousands separators of its language', () => {
    expect(formatSats(sats(1_234_567))).toBe('1,234,567')
    expect(formatSats(sats(1_234_567), 'de')).toBe('1.234.567')
  })

  it('shows the msats beyond whole sats as a fraction', () => {
    expect(formatSats(1_500n)).toBe('1.5')
    expect(formatSats(1_001n, 'de')).toBe('1,001')
    expect(formatSats(-2_050n)).toBe('-2.05')
    expect(formatSats(-500n)).toBe('-0.5')
  })

  // The style of a language is kept, so that only its first use shows how it was found.
  it('has its language’s decimal mark even on the first use of that language', () => {
    for (let uses = 0; uses < 2; uses += 1) expect(formatSats(1_234_500n, 'sv')).toBe('1\u00a0234,5')
  })
})

describe('the function msats', () => {
  it('refuses a negative number, a fraction and more than 21 million bitcoin', () => {
    expect(() => msats(-1)).toThrow(new RangeError('not an amount of msats: -1'))
    expect(() => msats(MAX_MSATS + 1n)).toThrow(RangeError)
    expect(() => msats(1.5)).toThrow(RangeError)
  })
})
