import { expect, test } from 'vitest'
import { createTranslators } from '../../src/bot/i18n/translator.ts'
import { type Links, NO_LINKS } from '../../src/bot/pay-pages/links.ts'
import { drawAsked } from '../../src/bot/withdrawals/card.ts'
import { drawWithdrawal } from '../../src/bot/withdrawals/draw-withdrawal.ts'
import { type Msats, sats } from '../../src/lib/money/amount.ts'
import type { Tipping, WithdrawalView } from '../../src/tipping/tipping.ts'

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
] as const)('a late withdrawal’s card (%s, %s) names the next step, and shows no code', async (kind, state, step) => {
  const view: Partial<WithdrawalView> = { ...late, kind, state, request: 'lnurl1', card: 'card-1' }
  const { embeds, buttons, pictures } = await drawWithdrawal(view as WithdrawalView, t, {} as Links)
  expect(embeds?.[0]?.description).toMatch(step)
  expect(embeds?.[0]?.description).toMatch(/for a day, give the operators this number: `id-7`$/)
  expect([buttons ?? [], pictures ?? []]).toEqual([[], []])
})

test('a withdrawal’s card says that the last claim failed, and still shows the code', async () => {
  const view: Partial<WithdrawalView> = { ...late, late: false, kind: 'request', state: 'offered', request: 'lnurl1' }
  const drawn = await drawWithdrawal({ ...view, triedInVain: true } as WithdrawalView, t, NO_LINKS)
  expect(drawn.embeds?.[0]?.description).toMatch(/^↩️ The last try failed, and nothing was sent\.[\s\S]+Scan this/)
  expect(drawn.pictures).toHaveLength(1)
  const first = await drawWithdrawal({ ...view, triedInVain: false } as WithdrawalView, t, NO_LINKS)
  expect(first.embeds?.[0]?.description).toMatch(/^Scan this/)
})

test.each<[sum: number, limit: Msats, price: Msats | undefined, from: string | undefined]>([
  [5, sats(10), undefined, '100 sats'],
  [99, sats(10), undefined, '100 sats'],
  [100, sats(10), undefined, undefined],
  [5, sats(0), undefined, undefined],
  [5, sats(3), sats(3), undefined],
  [100, sats(50), undefined, undefined],
])('a larger amount is suggested only where that helps: %d sats, fee limit %d msats', (sum, limit, price, from) => {
  const view = { kind: 'request', amount: sats(sum), feeLimit: limit, price } as unknown as WithdrawalView
  const { embeds } = drawAsked(view, { fiatValue: () => undefined } as unknown as Tipping, t)
  expect(/from (.*) on, the fee is at most a tenth/.exec(embeds?.[0]?.description ?? '')?.[1]).toBe(from)
})
