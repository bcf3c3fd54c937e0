import { expect, test } from 'vitest'
import { createTranslators } from '../../src/bot/i18n/translator.ts'
import type { Links } from '../../src/bot/pay-pages/links.ts'
import { drawWithdrawal } from '../../src/bot/withdrawals/draw-withdrawal.ts'
import { sats } from '../../src/lib/money/amount.ts'
import type { WithdrawalView } from '../../src/tipping/tipping.ts'

const t = createTranslators(() => false)('en')
const late = { id: 'id-7', amount: sats(500), feeLimit: sats(10), late: true } as const

test.each([
  [
    'invoice',
    'sending',
    /^🟠 This takes longer[\s\S]+stay reserved[\s\S]+Don't pay this a second time\. Ask the receiver/,
  ],
  ['address', 'unknown', /Don't pay this a second time\. Ask the receiver/],
  ['pay', 'sending', /Don't pay this a second time\. Ask the receiver/],
  ['request', 'claimed', /stay reserved[\s\S]+Look into the wallet that scanned the code/],
  ['request', 'offered', /Look into the wallet that scanned the code/],
] as const)('a late withdrawal (%s, %s) says the next step, and shows no code', async (kind, state, step) => {
  const view: Partial<WithdrawalView> = { ...late, kind, state, request: 'lnurl1', card: 'card-1' }
  const { embeds, buttons, pictures } = await drawWithdrawal(view as WithdrawalView, t, {} as Links)
  expect(embeds?.[0]?.description).toMatch(step)
  expect(embeds?.[0]?.description).toMatch(/for a day, give the operators this number: `id-7`$/)
  expect([buttons ?? [], pictures ?? []]).toEqual([[], []])
})
