import { expect, test } from 'vitest'
import { createTranslators } from '../../src/bot/i18n/translator.ts'
import { promiseRevoke, promisesMine } from '../../src/bot/own-wallets/promises.ts'
import { NO_LINKS } from '../../src/bot/pay-pages/links.ts'
import { drawTip } from '../../src/bot/tips/card.ts'
import { promiseGivenRenderer, promiseReceivedRenderer } from '../../src/bot/tips/promise-card.ts'
import { sats } from '../../src/lib/money/amount.ts'
import type { PromiseView, TipShare } from '../../src/tipping/tipping.ts'
import { FakeTipping } from '../support/fake-tipping.ts'
import { NO_OWN_WALLETS } from '../support/no-own-wallets.ts'

const t = createTranslators(() => false)('en')
const until = new Date(Date.UTC(2030, 0, 1))
const promise = (change: Partial<PromiseView> = {}): PromiseView => ({
  ...{ id: 'p1', from: '1', to: '2', amount: sats(500), until, state: 'promised', hindrance: undefined },
  ...change,
})

function withPromises(...promises: PromiseView[]): FakeTipping {
  const tipping = new FakeTipping()
  const [first = promise()] = promises
  tipping.ownWallets = {
    ...NO_OWN_WALLETS,
    promises: async () => promises,
    promise: async () => first,
    revoke: async ({ promise: id, member }) => promise({ id, from: member, state: 'revoked' }),
  }
  return tipping
}

const press = (tipping: FakeTipping, record = 'mine') => ({ record, member: '1', tipping, t }) as never

test('a giver sees all of their open promises, each with a button to take it back', async () => {
  const { say } = await promisesMine.press(press(withPromises(promise(), promise({ id: 'p2', to: '3' }))))
  const text = JSON.stringify(say)
  expect(text).toContain('**500 sats** to <@2>, until <t:1893456000')
  expect(text).toContain('promise-revoke:p1')
  expect(text).toContain('promise-revoke:p2')
  expect(JSON.stringify(await promisesMine.press(press(withPromises())))).toContain('You have no open promises')
})

test('a giver who takes back a promise gets an answer that names the receiver', async () => {
  expect(JSON.stringify(await promiseRevoke.press(press(withPromises(), 'p1')))).toContain(
    'You took back your promise of **500 sats** to <@2>. Nothing was paid.',
  )
})

test.each([
  [
    { state: 'promised', until },
    /promised until <t:1893456000[^>]*>\. Nothing is paid yet\. Once <@2> connects a wallet with `\/wallet`/,
  ],
  [
    { state: 'promised', until, hindrance: 'limits' },
    /not paid yet: the server's limits do not allow this tip right now\. I try again/,
  ],
  [{ state: 'revoked' }, /<@1> took the promise back\. Nothing was paid/],
  [{ state: 'lapsed' }, /the promise has lapsed\. Nothing was paid/],
] as const)('a tip’s card shows the state of a promise: $1', (share, said) => {
  const shares: TipShare[] = [{ recipient: '2', amount: sats(500), ...share }]
  const about = {
    id: 'tip',
    key: 'tip',
    card: 'card',
    from: '1',
    note: '',
    total: sats(500),
    fromPool: false,
    join: undefined,
  }
  const text = JSON.stringify(drawTip({ ...about, shares, createdAt: until } as never, t).message)
  expect(text).toContain('🤝 <@1> promised <@2> **500 sats**')
  expect(text).toMatch(said)
})

test.each([
  ['given', promise({ hindrance: 'budget' }), /keep your promise of \*\*500 sats\*\* to <@2> yet: the budget/],
  [
    'received',
    promise({ hindrance: 'silent' }),
    /<@1> promised you \*\*500 sats\*\*\. It is not paid yet: the paying wallet does not answer/,
  ],
  ['given', promise({ state: 'lapsed' }), /Your promise of \*\*500 sats\*\* to <@2> has ended/],
  ['received', promise({ state: 'lapsed' }), /The promise of \*\*500 sats\*\* from <@1> has ended/],
  ['received', promise({ state: 'asked' }), /passed to the giver's wallet/],
] as const)('a private message shows the state of a promise that was %s: $2', async (to, view, said) => {
  const renderer = to === 'given' ? promiseGivenRenderer : promiseReceivedRenderer
  const { message } = await (await renderer.draw(withPromises(view), 'p1')).in(t, NO_LINKS)
  expect(JSON.stringify(message)).toMatch(said)
})
