import { expect, it } from 'vitest'
import { languages } from '../../src/bot/i18n/languages.ts'
import { createTranslators } from '../../src/bot/i18n/translator.ts'
import { recapRenderer } from '../../src/bot/insights/recap-card.ts'
import { sats } from '../../src/lib/money/amount.ts'
import type { RecapView } from '../../src/tipping/tipping.ts'
import { FakeTipping } from '../support/fake-tipping.ts'

const RECAP: RecapView = {
  kind: 'week',
  gifts: 7,
  amount: sats(655),
  pool: sats(200),
  newcomers: 1,
  thanks: [{ from: '1', to: '2', count: 3 }],
  streaks: [{ member: '1', days: 4 }],
  days: Array.from({ length: 7 }, (_, day) => ({ from: new Date(Date.UTC(2030, 0, day + 1)), amount: sats(day * 10) })),
}

async function draw(recap: RecapView, language = 'en') {
  const tipping = new FakeTipping()
  Object.assign(tipping.insights, { recap: async () => recap })
  const drawable = await recapRenderer.draw(tipping, 'id')
  expect(drawable.people).toEqual([])
  const { message } = await drawable.in(createTranslators(() => false)(language), {} as never)
  return { message, text: JSON.stringify(message.frame) }
}

it('a recap shows sums, thanks, streaks and a picture, and notifies nobody', async () => {
  const { message, text } = await draw(RECAP)
  for (const part of ['The week in thanks', 'Gifts: **7** · **655 sats**', '<@1> → <@2> · **3×**', '<@1> · **4 days**'])
    expect(text).toContain(part)
  expect(text).toContain('From this server')
  expect(message.notifies).toBeUndefined()
  expect(message.pictures?.[0]?.alt).toContain('655 sats')
})

it('a recap with gifts only from the pool has no picture, and names nobody', async () => {
  const { message, text } = await draw({ ...RECAP, gifts: 0, amount: sats(0), thanks: [], streaks: [], newcomers: 0 })
  expect(message.pictures).toEqual([])
  expect(text).not.toMatch(/<@|in a row|listed/)
})

it('a recap can be drawn in every language', async () => {
  for (const { code } of languages) expect((await draw(RECAP, code)).text).toContain('<@1> → <@2>')
})
