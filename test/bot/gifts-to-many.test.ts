import { expect, it } from 'vitest'
import { createTranslators } from '../../src/bot/i18n/translator.ts'
import { drawRain } from '../../src/bot/rain/card.ts'
import { refusalText } from '../../src/bot/refusals/refusal-text.ts'
import { drawTip } from '../../src/bot/tips/card.ts'
import { sats } from '../../src/lib/money/amount.ts'
import { TippingRefusal, type TipView, type WalletShareState } from '../../src/tipping/tipping.ts'

/** Returns a tip that a wallet pays to several people, with the state of each payment. */
function tipTo(states: readonly WalletShareState[]): TipView {
  const shares = states.map((state, nth) => ({ recipient: String(nth + 1), amount: sats(5), state }))
  return {
    ...{ id: 'tip', key: 'tip', card: 'card', from: '99', note: '', total: sats(5 * states.length), shares },
    ...{ fromPool: false, join: undefined, createdAt: new Date(0) },
  }
}

const t = createTranslators(() => false)('en')
const many = (count: number, state: WalletShareState) => Array<WalletShareState>(count).fill(state)

it('a card for a tip from a wallet names every recipient who was not paid', () => {
  const text = JSON.stringify(drawTip(tipTo([...many(23, 'direct'), 'unpaid', 'unconfirmed']), t).message.frame)
  expect(text).toContain('<@20>, and 3 people · paid from wallet to wallet')
  expect(text).toContain('❌ <@24> · not paid')
  expect(text).toContain('❔ <@25> · not confirmed')
})

it.each<[string, WalletShareState[]]>([
  ['⚡ <@99> tipped <@1> **5 sats**', ['asked']],
  ['❌ <@99> wanted to tip <@1> and <@2> **10 sats**', ['unpaid', 'unpaid']],
])('a tip from a wallet is headed “%s” if the states of its payments are %j', (headline, states) => {
  expect(drawTip(tipTo(states), t).message.content).toContain(headline)
})

it('the card for rain from a wallet says that only people with a wallet were paid', () => {
  const { content } = drawRain(tipTo(['direct', 'asked']), t).message
  expect(content).toContain('Paid from wallet to wallet, so it fell only on people who have one.')
})

it('the refusal of too small an amount names the smallest amount that pays everybody', () => {
  const refusal = new TippingRefusal('amount-too-small', { smallest: sats(3), parts: 3 })
  expect(refusalText(refusal, t)).toBe('That is too little. The smallest amount here is 3 sats (3 × 1 sat).')
})

it('the refusal of a tip names the short balance first, then the unpaid tips', () => {
  const facts = { most: 5, until: new Date(0), balance: sats(44), needed: sats(1_000) }
  expect(refusalText(new TippingRefusal('too-many-unpaid-tips', facts), t)).toMatch(
    /^You have \*\*44 sats\*\*, but this needs \*\*1,000 sats\*\*\. You have 5 unpaid tips, the maximum\. Pay one/,
  )
})
