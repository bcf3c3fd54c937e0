import { expect, test } from 'vitest'
import { createTranslators } from '../../src/bot/i18n/translator.ts'
import { refusalText } from '../../src/bot/refusals/refusal-text.ts'
import { msats, sats } from '../../src/lib/money/amount.ts'
import { TippingRefusal } from '../../src/tipping/tipping.ts'

const t = createTranslators(() => false)('en')

test('the refusal for an empty balance suggests a deposit, not a smaller amount', () => {
  const facts = { needed: sats(510), missing: sats(170), feeLimit: sats(10) }
  const said = (balance: number) =>
    refusalText(new TippingRefusal('insufficient-with-fee', { ...facts, balance: msats(balance) }), t)
  expect(said(999)).toContain('`/deposit 170`')
  expect(said(999)).not.toMatch(/less|`all`/)
  expect(said(1_000)).toMatch(/Ask for less, use `all`, or `\/deposit 170`/)
})

test('the refusal of a batch beyond a small balance never suggests `all`', () => {
  const facts = { needed: sats(1_010), missing: sats(530), feeLimit: sats(10) }
  const said = (balance: number) =>
    refusalText(new TippingRefusal('insufficient-for-batch', { ...facts, balance: msats(balance) }), t)
  expect(said(480_000)).toMatch(/up to 10 sats for the fee\. Ask for less, or `\/deposit 530`/)
  expect(said(999)).not.toMatch(/less|`all`/)
})
