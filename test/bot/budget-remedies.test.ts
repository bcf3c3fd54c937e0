import { expect, test } from 'vitest'
import { createTranslators } from '../../src/bot/i18n/translator.ts'
import { refusalText } from '../../src/bot/refusals/refusal-text.ts'
import { sats } from '../../src/lib/money/amount.ts'
import { TippingRefusal } from '../../src/tipping/tipping.ts'

test.each([
  [{ manager: true }, 'To give some yourself, give one of your roles a budget:', 'You can raise it: `/pool budget`.'],
  [
    { manager: false },
    'A manager of this server can give one of them a budget',
    'A manager of this server can raise it: `/pool budget`.',
  ],
])('a refusal because of a budget says who can change the budget: %o', (reader, gives, raises) => {
  const t = createTranslators(() => false)('en')
  const spent = { cap: sats(1_000), left: sats(70), until: new Date(Date.UTC(2030, 0, 1)) }
  expect(refusalText(new TippingRefusal('budget-none', {}), t, reader)).toContain(gives)
  expect(refusalText(new TippingRefusal('budget-exhausted', spent), t, reader)).toMatch(
    /The budget is full again <t:\d+:R>\. /,
  )
  expect(refusalText(new TippingRefusal('budget-exhausted', spent), t, reader).endsWith(`R>. ${raises}`)).toBe(true)
})
