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

describe('a typed amount', () => {
  it.each([
    ['500', 500_000n],
    ['2.5k', 2_500_000n],
    ['0.001 btc', 100_000_000n],
    [' all ', 1_001_000n],
    ['HALF', 500_000n],
  ])('is read to the msat: %j is %d msats', (text, amount) => {
    expect(readAmount(text, limits, sats(1_001))).toBe(amount)
  })

  it.each([
    ['', 'amount-not-understood'],
    ['ten', 'amount-not-understood'],
    ['9'.repeat(400), 'amount-not-understood'],
    ['1.000', 'amount-ambiguous'],
    ['0', 'amount-zero'],
    ['-5', 'amount-zero'],
    ['1.0001', 'amount-fraction-of-msat'],
    ['0.5', 'amount-too-small'],
    ['10,000,001', 'amount-too-large'],
    ['999 btc', 'amount-too-large'],
    ['21000001 btc', 'amount-too-large'],
    ['$5', 'amount-needs-rate'],
    ['200%', 'amount-more-than-all'],
  ])('is refused with the reason: %j is %s', (text, code) => {
    expect(() => readAmount(text, limits, sats(1_001))).toThrow(expect.objectContaining({ code }))
  })

  it('can equal the smallest or the largest permitted amount', () => {
    expect(readAmount('1', limits)).toBe(sats(1))
    expect(readAmount('10,000,000', limits)).toBe(sats(10_000_000))
    expect(readAmount('all', limits, sats(1))).toBe(sats(1))
    expect(readAmount('all', limits, msats(187_880))).toBe(sats(187))
    expect(readAmount('half', limits, sats(2))).toBe(sats(1))
  })

  it('is refused with the shortfall in msats if it is “all” or half of a small balance', () => {
    const some = { ...limits, smallest: msats(1_500) }
    expect(readAmount('all', some, msats(2_000))).toBe(sats(2))
    for (const [text, balance, missing] of [
      ['all', 1_900, 100],
      ['half', 3_999, 1],
    ] as const) {
      const facts = expect.objectContaining({ balance: msats(balance), missing: msats(missing) })
      const refusal = expect.objectContaining({ code: 'insufficient-funds', facts })
      expect(() => readAmount(text, some, msats(balance))).toThrow(refusal)
    }
  })

  it('is refused if it is too small or too large, and the refusal states the limit', () => {
    expect(() => readAmount('0.5', limits)).toThrow(
      expect.objectContaining({ code: 'amount-too-small', facts: { smallest: sats(1) } }),
    )
    for (const text of ['10,000,001', 'all']) {
      expect(() => readAmount(text, limits, sats(10_000_001))).toThrow(
        expect.objectContaining({ code: 'amount-too-large', facts: { largest: sats(10_000_000) } }),
      )
    }
  })

  it('is converted to whole sats if it is in another currency', () => {
    const asked: string[] = []
    const toMsats = (currency: string, value: string) => {
      asked.push(`${value} ${currency}`)
      return sats(5_000)
    }
    expect(readAmount('$2.50', { ...limits, rates: { toMsats } })).toBe(sats(5_000))
    expect(asked).toEqual(['2.5 USD'])
  })

  it.each([
    ['ten', 'amount-not-understood', 'ten'],
    ['1.000', 'amount-ambiguous', '1.000'],
    ['x'.repeat(60), 'amount-not-understood', 'x'.repeat(60)],
    ['x'.repeat(61), 'amount-not-understood', `${'x'.repeat(59)}…`],
    ['small', 'amount-not-understood', 'small'],
    ['halfway', 'amount-not-understood', 'halfway'],
  ])('is quoted in the refusal, up to 60 characters: %j', (text, code, shown) => {
    expect(() => readAmount(text, limits, sats(1_001))).toThrow(
      expect.objectContaining({ code, facts: { text: shown } }),
    )
  })

  it.each(['<@1249705193176565760> 10', '10 <@!1249705193176565760>', '<@&12> all', '5 @everyone', '@here 5'])(
    'is refused, and the ids in it are not quoted, if it mentions people: %j',
    (text) => {
      const refused = expect.objectContaining({ code: 'amount-with-people', facts: {} })
      expect(() => readAmount(text, limits, sats(1_001))).toThrow(refused)
    },
  )

  it.each([
    ['half', 1_400n, 2_000n, 600n],
    ['30%', 1_400n, 3_334n, 1_934n],
    ['max', 400n, 1_000n, 600n],
    [' HALF ', 0n, 2_000n, 2_000n],
    ['all', 400n, 1_000n, 600n],
    [' All ', 400n, 1_000n, 600n],
  ])('is refused if it is less than the smallest amount: %j of %d msats', (text, balance, needed, missing) => {
    expect(() => readAmount(text, limits, msats(balance))).toThrow(
      expect.objectContaining({ code: 'insufficient-funds', facts: { balance, needed, missing } }),
    )
  })

  it.each(['all', 'half'])('is refused if it is %j where there is no balance', (text) => {
    expect(() => readAmount(text, limits)).toThrow(
      expect.objectContaining({ code: 'amount-of-nothing', facts: { text } }),
    )
  })
})
