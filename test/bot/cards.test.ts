import { expect, test } from 'vitest'
import { drawForeseen } from '../../src/bot/announcements/foreseen.ts'
import { createCardBoard } from '../../src/bot/cards/card-board.ts'
import { createTranslators } from '../../src/bot/i18n/translator.ts'
import { NO_LINKS } from '../../src/bot/pay-pages/links.ts'
import { cardRenderers } from '../../src/bot/registry/card-renderers.ts'
import type { MessageRef, Messenger } from '../../src/bot/transport/messenger.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import type { ClaimView, DepositView, TipView } from '../../src/tipping/tipping.ts'
import { FakeTipping } from '../support/fake-tipping.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { buttonsOf, startLounge, textOf } from './lounge.ts'

const minutes = 60_000
const tipNewcomer = { to: '@newcomer', amount: '250' }

test('a tip’s card is edited as the payment proceeds, and nobody is notified again', async () => {
  const { alice, channels, done, people, settled, tipping } = await startLounge()
  tipping.states.set(people.bob, 'sending')
  const [card] = await done(alice.run(channels.tips, 'tip', { to: '@bob', amount: '500' }))
  const tip = await tipping.tips.view('record-1')
  const now = () => textOf(alice.conversation(channels.tips)[0])
  const share = (change: object) => {
    tipping.change(tip, { shares: tip.shares.map((each) => ({ ...each, ...change })) })
    return settled()
  }

  expect(textOf(card)).toContain('on its way to the wallet')
  await share({ state: 'unknown' })
  expect(now()).toContain('being checked with the Lightning service')
  await share({ state: 'kept', because: 'refused', reason: 'wallet is *full*' })
  expect(now()).toContain('in the Discord balance: the wallet did not accept the sats (wallet is \\*full\\*)')
  await share({ state: 'kept', because: 'paused' })
  expect(now()).toContain('in the Discord balance: outgoing payments are paused')
  await share({ state: 'paid', payout: 'f3b1c2' })
  expect(now()).toContain('in the wallet')
  // Ids of payments concern nobody but their receiver.
  expect(now()).not.toContain('f3b1c2')
  expect(alice.conversation(channels.tips)).toHaveLength(2)
})

test('a public card is edited as an ordinary message after 15 minutes', async () => {
  const clock = new ManualClock()
  const { alice, channels, done, people, settled, tipping } = await startLounge({ clock })
  tipping.states.set(people.newcomer, 'parked')
  const [card] = await done(alice.run(channels.tips, 'tip', tipNewcomer))
  expect(buttonsOf(card as NonNullable<typeof card>)).toHaveLength(1)

  clock.jump(20 * minutes)
  const tip = await tipping.tips.view('record-1')
  tipping.change(tip, { shares: tip.shares.map((share) => ({ ...share, state: 'claimed' })) })
  await settled()

  const [now] = alice.conversation(channels.tips)
  expect(now?.id).toBe(card?.id)
  expect(textOf(now)).toContain('· claimed')
  expect(buttonsOf(now as NonNullable<typeof now>)).toEqual([])
})

test('a card’s update is not retried if the card’s message has been deleted', async () => {
  const { alice, channels, done, emulator, settled, tipping } = await startLounge()
  const [card] = await done(alice.run(channels.tips, 'tip', tipNewcomer))
  const tip: TipView = await tipping.tips.view('record-1')
  emulator.world.deleteMessage(channels.tips, card?.id ?? '')
  emulator.clearRequests()

  tipping.change(tip, { note: 'changed' })
  await settled()
  await settled()

  expect(await tipping.cards.pending(10)).toEqual([])
  expect(emulator.requests().map(({ method, status }) => `${method} ${status}`)).toEqual(['PATCH 404'])
})

test('a paid deposit is confirmed immediately and privately below its command', async () => {
  const { alice, bob, channels, done, people, settled, tipping } = await startLounge()
  const deposit = alice.run(channels.tips, 'deposit', { amount: '1000' })
  await done(deposit)
  const view: DepositView = await tipping.deposits.view('record-1')

  tipping.change(view, { state: 'paid', paidAt: new Date(Date.UTC(2030, 0, 1)) })
  tipping.cards.create('deposit-paid', view.id, { member: people.alice })
  await settled()

  const [card, confirmation] = deposit.messages()
  expect(textOf(card)).toContain('Paid <t:1893456000:R>')
  expect(card?.attachments).toEqual([])
  expect(textOf(confirmation)).toContain('Your deposit of **1,000 sats** has arrived')
  expect(confirmation?.ephemeral).toBe(true)
  expect(bob.conversation(channels.tips)).toEqual([])
})

test('a deposit that is paid after 15 minutes is confirmed once, by private message', async () => {
  const clock = new ManualClock()
  const { alice, channels, done, people, settled, tipping } = await startLounge({ clock })
  await done(alice.run(channels.tips, 'deposit', { amount: '1000' }))
  const view: DepositView = await tipping.deposits.view('record-1')

  clock.jump(15 * minutes)
  tipping.change(view, { state: 'paid', paidAt: new Date(clock.now()) })
  tipping.cards.create('deposit-paid', view.id, { member: people.alice })
  await settled()

  const [dm] = alice.directMessages()
  const told = alice.conversation(dm?.id ?? '').map(textOf)
  expect(told).toHaveLength(1)
  expect(told[0]).toContain('Your deposit of **1,000 sats** has arrived')
  expect(await tipping.cards.pending(10)).toEqual([])
})

test('if private messages fail, a deposit is confirmed once, after the next command', async () => {
  const clock = new ManualClock()
  const { alice, bob, channels, done, people, settled, tipping } = await startLounge({ clock })
  alice.setDmsOpen(false)
  await done(alice.run(channels.tips, 'deposit', { amount: '1000' }))
  const view: DepositView = await tipping.deposits.view('record-1')
  clock.jump(15 * minutes)
  tipping.change(view, { state: 'paid', paidAt: new Date(clock.now()) })
  tipping.cards.create('deposit-paid', view.id, { member: people.alice })
  await settled()

  const others = await done(bob.run(channels.tips, 'balance'))
  const [answer, told, ...more] = await done(alice.run(channels.tips, 'balance'))
  const again = await done(alice.run(channels.tips, 'balance'))

  expect(others).toHaveLength(1)
  expect(textOf(answer)).toContain('Your balance')
  expect(told?.ephemeral).toBe(true)
  expect(textOf(told)).toMatch(/While I could not reach you[\s\S]*Your deposit of \*\*1,000 sats\*\* has arrived/)
  expect(more).toEqual([])
  expect(again).toHaveLength(1)
})

test('a message that could not be sent after one command’s answer follows the next one', async () => {
  const { alice, channels, done, emulator, people, tipping } = await startLounge()
  await done(alice.run(channels.tips, 'deposit', { amount: '1000' }))
  const { id } = tipping.cards.create('deposit-paid', 'record-1', { member: people.alice })
  await tipping.cards.undeliverable(id, 1)

  emulator.faults.failNext(500, { method: 'POST', path: /^\/webhooks/, times: 4 })
  const first = await done(alice.run(channels.tips, 'balance'))
  const second = await done(alice.run(channels.tips, 'balance'))

  expect(first.map(textOf)).toEqual([expect.stringContaining('Your balance')])
  expect(second.map(textOf)).toEqual([
    expect.stringContaining('Your balance'),
    expect.stringContaining('Your deposit of **1,000 sats** has arrived'),
  ])
})

test('changes to a private card after 15 minutes become one private message', async () => {
  const clock = new ManualClock()
  const { carol, channels, done, settled, tipping } = await startLounge({ clock })
  const [card] = await done(carol.run(channels.tips, 'claim'))
  const claim: ClaimView = await tipping.claims.view('record-1')
  tipping.change(claim, { state: 'sending' })
  await settled()
  expect(textOf(carol.conversation(channels.tips)[0])).toContain('On its way to your wallet')

  clock.jump(16 * minutes)
  tipping.change(claim, { state: 'unknown' })
  await settled()
  tipping.change(claim, { state: 'paid', payout: 'abc' })
  await settled()

  expect(card?.ephemeral).toBe(true)
  const told = carol.conversation(carol.directMessages()[0]?.id ?? '').map(textOf)
  expect(told).toHaveLength(1)
  expect(told[0]).toMatch(/In your wallet\.\s+\[Receipt\]/)
})

test('a paid invoice is announced in its channel, and the payee is notified', async () => {
  const { bob, channels, done, people, settled, tipping } = await startLounge()
  const [card] = await done(bob.run(channels.tips, 'invoice', { amount: '1000' }))
  const invoice = await tipping.invoices.view('record-1')

  tipping.change(invoice, { state: 'paid', paidAt: new Date(Date.UTC(2030, 0, 1)) })
  tipping.cards.create('invoice-paid', invoice.id, { channel: channels.tips })
  await settled()

  const [now, announcement] = bob.conversation(channels.tips)
  expect(textOf(now)).toContain('✅ Paid <t:1893456000:R>')
  expect(textOf(announcement)).toContain(`<@${people.bob}>, your **1,000 sats** have been paid to **bob\\_ln**`)
  expect(announcement).toMatchObject({ replyTo: card?.id, notifies: { personIds: [people.bob] } })
})

test('a paid invoice is announced even if the bot cannot reply to the invoice’s card', async () => {
  const { bob, channels, done, emulator, settled, tipping } = await startLounge()
  await done(bob.run(channels.tips, 'invoice', { amount: '1000' }))
  emulator.faults.failNext(403, { method: 'POST', path: /^\/channels/ })

  tipping.cards.create('invoice-paid', 'record-1', { channel: channels.tips })
  await settled()

  const announcement = bob.conversation(channels.tips)[1]
  expect(textOf(announcement)).toContain('have been paid to')
  expect(announcement?.replyTo).toBeNull()
})

function boardOf(tipping: FakeTipping, messenger: Partial<Messenger>) {
  return createCardBoard({
    tipping,
    messenger: messenger as Messenger,
    clock: new ManualClock(),
    log: silentLogger,
    translatorFor: createTranslators(() => false),
    serverLocale: () => undefined,
    links: NO_LINKS,
    cardRenderers,
    drawForeseen,
  })
}

test('at most eight changed cards are read in one turn of the event loop', async () => {
  const tipping = new FakeTipping()
  const cards = await Promise.all(
    Array.from({ length: 40 }, async (_, nth) => {
      const origin = {
        interaction: `${nth}`,
        guild: null,
        channel: '2',
        reply: '3 9000000000000000 token',
        locale: 'en',
      }
      return (await tipping.claims.take({ member: `${nth}`, origin })).card
    }),
  )
  let [turn, isOpen] = [0, true]
  const count = () => {
    turn += 1
    if (isOpen) setImmediate(count)
  }
  const read: number[] = []
  const get = tipping.cards.get
  tipping.cards.get = (id) => {
    read.push(turn)
    return get.call(tipping.cards, id)
  }
  const board = boardOf(tipping, { answer: async () => ({ channel: '2', message: '5' }) })
  count()
  await Promise.all(cards.map((card) => board.show(card)))
  isOpen = false
  const together = Object.values(Object.groupBy(read, (each) => each)).map((each) => each?.length ?? 0)
  expect(read).toHaveLength(40)
  expect(Math.max(...together)).toBe(8)
})

test('the same card is never drawn twice at the same time', async () => {
  const tipping = new FakeTipping()
  const origin = { interaction: '1', guild: null, channel: '2', reply: '3 9000000000000000 token', locale: 'en' }
  const { card } = await tipping.claims.take({ member: '4', origin })
  const drawing: (() => void)[] = []
  const answer = () => new Promise<MessageRef>((resolve) => drawing.push(() => resolve({ channel: '2', message: '5' })))
  const board = boardOf(tipping, { answer })
  const shown = Promise.all([board.show(card), board.show(card)])
  await expect.poll(() => drawing.length).toBe(1)
  await new Promise((resolve) => setImmediate(resolve))
  expect(drawing).toHaveLength(1)
  drawing[0]?.()
  await expect.poll(() => drawing.length).toBe(2)
  drawing[1]?.()
  await shown
})

test('a command’s card is drawn only once, by the edit that completes the answer', async () => {
  const { alice, channels, done, emulator, settled, tipping } = await startLounge()
  const { promise, resolve } = Promise.withResolvers<void>()
  tipping.after = promise
  const tip = alice.run(channels.tips, 'tip', tipNewcomer)
  await expect.poll(() => tipping.cards.pending(1)).toHaveLength(1)

  const settling = settled()
  expect(tip.messages()).toMatchObject([{ loading: true }])
  resolve()
  await done(tip)
  await settling

  const drawn = emulator.requests().filter(({ path }) => path.endsWith('original'))
  expect(drawn.map(({ method }) => method)).toEqual(['PATCH'])
})

test('after a restart, “thinking…” answers are completed and missed changes are shown', async () => {
  const { alice, bob, channels, done, emulator, restart, settled, tipping } = await startLounge()
  const [first] = await done(alice.run(channels.tips, 'tip', tipNewcomer))
  const tip: TipView = await tipping.tips.view('record-1')
  // The second answer cannot be shown, and the bot is stopped before it can retry.
  emulator.faults.failNext(500, { method: 'PATCH', path: /original/, times: 4 })
  const second = alice.run(channels.tips, 'tip', { to: '@bob', amount: '7' })
  await expect.poll(() => emulator.requests().filter(({ status }) => status === 500)).toHaveLength(4)

  await restart(() => {
    expect(second.messages()).toMatchObject([{ loading: true }])
    tipping.change(tip, { note: 'while it was away' })
  })
  await settled()

  const [one, , two] = bob.conversation(channels.tips)
  expect(one?.id).toBe(first?.id)
  expect(textOf(one)).toContain('> while it was away')
  expect(two?.id).toBe(second.messages()[0]?.id)
  expect(textOf(two)).toContain('**7 sats**')
  expect(two?.loading).toBe(false)
})

test('a card that could not be shown for an hour appears in a new message', async () => {
  const clock = new ManualClock()
  const { alice, bob, channels, emulator, restart, settled, tipping } = await startLounge({ clock })
  emulator.faults.failNext(500, { method: 'PATCH', path: /original/, times: 4 })
  alice.run(channels.tips, 'tip', { to: '@bob', amount: '7' })
  await expect.poll(() => emulator.requests().filter(({ status }) => status === 500)).toHaveLength(4)

  await restart(() => clock.jump(60 * minutes))
  await settled()

  const [, card, ...more] = bob.conversation(channels.tips)
  expect(more).toEqual([])
  expect(textOf(card)).toContain('**7 sats**')
  expect(card?.usedBy).toBeNull()
  expect(card?.notifies.personIds).toEqual([bob.id])
  expect(await tipping.cards.pending(10)).toEqual([])
})

test('a failed edit of a card is retried at growing intervals', async () => {
  const clock = new ManualClock()
  const { alice, channels, done, emulator, log, settled, tipping } = await startLounge({ clock })
  await done(alice.run(channels.tips, 'tip', tipNewcomer))
  const tip: TipView = await tipping.tips.view('record-1')
  emulator.faults.failNext(500, { method: 'PATCH', times: 8 })

  tipping.change(tip, { note: 'at last' })
  await settled()
  await clock.advance(2_000)
  await settled()
  await clock.advance(3_900)
  await settled()
  expect(textOf(alice.conversation(channels.tips)[0])).not.toContain('at last')
  await clock.advance(200)
  await settled()

  expect(textOf(alice.conversation(channels.tips)[0])).toContain('> at last')
  const pauses = log.filter(({ pauseMs }) => pauseMs !== undefined).map(({ pauseMs }) => pauseMs)
  expect(pauses).toEqual([2_000, 4_000])
})

test('a tip’s card is shown even if the command fails after the tip was made', async () => {
  const { alice, bob, channels, done, settled, tipping } = await startLounge()
  tipping.after = Promise.reject(new Error('killed in the middle'))
  tipping.after.catch(() => undefined)

  const [answer] = await done(alice.run(channels.tips, 'tip', { to: '@bob', amount: '7' }))
  await settled()

  expect(textOf(answer)).toContain('Something went wrong on my side')
  const [card] = bob.conversation(channels.tips)
  expect(textOf(card)).toContain('**7 sats**')
  expect(await tipping.cards.pending(10)).toEqual([])
})
