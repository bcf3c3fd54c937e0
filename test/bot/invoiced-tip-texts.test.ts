import { expect, it } from 'vitest'
import { endOfTip } from '../../src/bot/deposits/tip-by-invoice.ts'
import { createTranslators } from '../../src/bot/i18n/translator.ts'
import { sats } from '../../src/lib/money/amount.ts'
import type { InvoicedTipView } from '../../src/tipping/tipping.ts'

const t = createTranslators(() => false)('en')

/** Returns the text that a giver reads if the payment of a tip's invoice did not become a tip. */
function kept(because: InvoicedTipView['because']): string {
  const tip: InvoicedTipView = {
    ...{ state: 'kept', total: sats(500), missing: sats(200), until: new Date(0), to: ['1'], withoutWallet: [] },
    because,
  } as unknown as InvoicedTipView
  return endOfTip(tip, t)
}

it.each([
  ['late', /200 sats.* arrived[\s\S]*`\/tip` again to send it from your balance/],
  ['insufficient-funds', /no longer covers the rest\. `\/tip` again, and I show a code for what is missing/],
  ['cooling-down', /limits no longer allow it\. `\/tip` again to see which/],
  ['unexpected', /`\/tip` again to see what/],
] as const)('the text for a paid tip that was not sent says what to do next: %s', (because, words) => {
  expect(kept(because)).toMatch(words)
})

it('the text for a tip already paid from the balance does not suggest another /tip', () => {
  expect(kept('sent-before')).not.toContain('/tip')
})
