import { expect, test } from 'vitest'
import { createTranslators } from '../../src/bot/i18n/translator.ts'
import { refusalText } from '../../src/bot/refusals/refusal-text.ts'
import { msats, sats } from '../../src/lib/money/amount.ts'
import { TippingRefusal } from '../../src/tipping/tipping.ts'

const t = createTranslators(() => false)('en')

test('a refusal suggests only a deposit if the balance cannot cover 1 sat and the fee', () => {
  const facts = { needed: sats(510), missing: sats(170), feeLimit: sats(10) }
  const said = (balance: number) =>
    refusalText(new TippingRefusal('insufficient-with-fee', { ...facts, balance: msats(balance) }), t)
  expect(said(999)).toContain('`/deposit 170`')
  expect(said(999)).not.toMatch(/smaller|`all`/)
  // A fee of ten sats and the smallest amount, one sat, need eleven.
  expect(said(10_999)).toContain('You have **10 sats**, but this needs **510 sats**')
  expect(said(10_999)).toContain('`/deposit 170`')
  expect(said(10_999)).not.toMatch(/smaller|`all`/)
  expect(said(11_000)).toMatch(/Enter a smaller amount or `all`, or add the rest with `\/deposit 170`/)
})

test('the refusal of a batch that the balance does not cover never suggests `all`', () => {
  const facts = { needed: sats(1_010), missing: sats(530), feeLimit: sats(10) }
  const said = (balance: number) =>
    refusalText(new TippingRefusal('insufficient-for-batch', { ...facts, balance: msats(balance) }), t)
  expect(said(480_000)).toMatch(
    /up to 10 sats for the fee\. Enter a smaller amount, or add the rest with `\/deposit 530`/,
  )
  expect(said(10_999)).not.toMatch(/smaller|`all`/)
})
