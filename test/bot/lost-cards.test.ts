import { expect, test } from 'vitest'
import { everyonesPermissions, permission } from '../../src/discord-emulator/world/permissions.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { buttonsOf, type Lounge, startLounge, textOf } from './lounge.ts'

/**
 * Creates a server that has not invited the bot, with alice and bob in it, and installs the bot for alice. Returns the
 * server's id and a channel's.
 */
function elsewhere({ emulator, people }: Lounge, blockedWords: readonly string[] = []) {
  const { world } = emulator
  const { id } = world.createServer({ name: 'Elsewhere', ownerId: people.mod, application: 'none', blockedWords })
  for (const person of [people.alice, people.bob]) world.addMember(id, person)
  world.installFor(people.alice)
  return { server: id, channel: world.createChannel(id, { name: 'talk' }).id }
}

test('a card in an archived thread is not redrawn until somebody writes in the thread', async () => {
  const lounge = await startLounge({ everywhere: true })
  const { alice, bob, carol, channels, done, emulator, people, settled, tipping } = lounge
  const { id } = emulator.world.createThread(channels.tips, { name: 'recipes', ownerId: people.bob })
  tipping.states.set(people.carol, 'parked')
  await done(alice.run(id, 'tip', { to: people.carol, amount: '500' }))
  const [card] = await tipping.cards.all()
  emulator.world.changeThread(id, { archived: true })
  tipping.cards.raise(card?.id ?? '')
  await settled()
  expect(await tipping.cards.pending(10)).toHaveLength(1)
  emulator.clearRequests()
  await settled()
  expect(emulator.requests().filter(({ method }) => method === 'PATCH')).toEqual([])

  bob.say(id, 'good morning')
  await expect.poll(() => tipping.cards.pending(10)).toEqual([])
  expect(carol.conversation(id).filter((message) => textOf(message).includes('tipped'))).toHaveLength(1)
})

test('a card that AutoMod blocks is sent again without the giver’s note', async () => {
  const lounge = await startLounge({ everywhere: true })
  const { alice, bob, done, people, tipping } = lounge
  const { channel } = elsewhere(lounge, ['darn'])
  await done(alice.run(channel, 'tip', { to: people.bob, amount: '500', note: 'darn good' }))
  expect(tipping.asked).toHaveLength(1)
  const text = bob.conversation(channel).map(textOf).join('\n')
  expect(text).toMatch(/tipped/)
  expect(text).not.toMatch(/darn/)
})

test('a tip that cannot appear in the channel is shown privately to giver and receiver', async () => {
  const lounge = await startLounge({ everywhere: true })
  const { alice, bob, channels, emulator, people, settled } = lounge
  emulator.faults.refuseNext({ status: 403, code: 50_013 }, { path: /^\/(webhooks|channels\/\d+\/messages)/, times: 2 })
  alice.run(channels.tips, 'tip', { to: people.bob, amount: '500' })
  await expect.poll(() => bob.directMessages().length).toBe(1)
  await settled()
  for (const person of [alice, bob]) {
    const [dm] = person.directMessages()
    const text = person
      .conversation(dm?.id ?? '')
      .map(textOf)
      .join('\n')
    expect(text).toMatch(/could not show this in the channel/)
    expect(text).toMatch(/Alice tipped Bob/)
  }
})

test('a tip is refused and moves nothing if only its giver would see the announcement', async () => {
  const lounge = await startLounge({ everywhere: true })
  const { alice, done, emulator, people, tipping } = lounge
  const { server, channel } = elsewhere(lounge)
  emulator.world.setPermissions(server, everyonesPermissions & ~permission.useExternalApps)
  const [answer] = await done(alice.run(channel, 'tip', { to: people.bob, amount: '500' }))
  expect(textOf(answer)).toMatch(/shows my messages to you alone[\s\S]*\[Invite me to a server\]/)
  expect(tipping.asked).toEqual([])
})

test('outside the bot’s servers, a card says how long its claim button works', async () => {
  const lounge = await startLounge({ everywhere: true })
  const { alice, bob, done, people, tipping } = lounge
  const { channel } = elsewhere(lounge)
  tipping.states.set(people.bob, 'parked')
  await done(alice.run(channel, 'tip', { to: people.bob, amount: '500' }))
  expect(bob.conversation(channel).map(textOf).join('\n')).toMatch(/The button works for 15 minutes here/)
})

test('a card outside the bot’s servers loses its button before edits become impossible', async () => {
  const clock = new ManualClock()
  const lounge = await startLounge({ everywhere: true, clock })
  const { alice, bob, done, people, tipping, settled } = lounge
  const { channel } = elsewhere(lounge)
  tipping.states.set(people.bob, 'parked')
  await done(alice.run(channel, 'tip', { to: people.bob, amount: '500' }))
  const card = () => bob.conversation(channel).find((message) => textOf(message).includes('tipped'))
  expect(buttonsOf(card() as NonNullable<ReturnType<typeof card>>)).toHaveLength(1)

  await clock.advance(14 * 60_000 + 20_000)
  await settled()
  expect(buttonsOf(card() as NonNullable<ReturnType<typeof card>>)).toEqual([])
  expect(textOf(card())).toMatch(/\/claim gets the sats/)
})

test('edits of a card older than an hour stay within Discord’s limit for old messages', async () => {
  const clock = new ManualClock()
  const { alice, channels, done, emulator, people, settled, tipping } = await startLounge({ clock })
  tipping.states.set(people.newcomer, 'parked')
  await done(alice.run(channels.tips, 'tip', { to: people.newcomer, amount: '250' }))
  const [card] = await tipping.cards.all()
  const edits = () =>
    emulator.requests().filter(({ method, path }) => method === 'PATCH' && /messages/.test(path)).length
  const raise = async (afterMs: number) => {
    tipping.cards.raise(card?.id ?? '')
    await clock.advance(afterMs)
  }
  await raise(61 * 60_000)
  await settled()
  await raise(1_000)
  await expect.poll(() => edits()).toBeGreaterThan(0)
  await expect.poll(() => tipping.cards.pending(10)).toEqual([])
  const before = edits()
  for (const _ of Array.from({ length: 5 })) await raise(2_000)
  expect(edits()).toBe(before)
  await clock.advance(2_001)
  await expect.poll(() => tipping.cards.pending(10)).toEqual([])
  expect(edits()).toBe(before + 1)
})

test('outside its servers, the bot adds 3 undelivered cards and “2 more” to an answer', async () => {
  const lounge = await startLounge({ everywhere: true })
  const { alice, done, people, tipping } = lounge
  const { channel } = elsewhere(lounge)
  for (const amount of ['100', '200', '300', '400', '500']) {
    const origin = { interaction: `i${amount}`, guild: null, channel, reply: '', locale: 'en-US' }
    const { id, card } = await tipping.deposits.open({ member: people.alice, amount, origin })
    await tipping.cards.undeliverable(card, 1)
    expect(id).toBeDefined()
  }
  const told = await done(alice.run(channel, 'balance'))
  const text = told.map(textOf)
  expect(text).toHaveLength(5)
  expect(text.at(-1)).toMatch(/2 more/)
})

test('every receiver of a tip to 130 people is notified', async () => {
  const { bob, channels, done, emulator, people, tipping, serverId, alice } = await startLounge()
  const crowd = Array.from({ length: 130 }, (_, nth) => {
    const { id } = emulator.world.createPerson({ username: `crowd${nth}` })
    emulator.world.addMember(serverId, id)
    return id
  })
  const origin = { interaction: '1', guild: serverId, channel: channels.tips, reply: '', locale: 'en-US' }
  const to = crowd.map((id) => ({ id, bot: false }))
  await tipping.tips.send({
    from: people.alice,
    fromName: 'Alice',
    to,
    amount: '10',
    accountSince: new Date(0),
    origin,
  })
  await done(alice.run(channels.tips, 'balance'))
  const notified = bob.conversation(channels.tips).flatMap(({ notifies }) => notifies.personIds)
  expect(new Set(notified)).toEqual(new Set(crowd))
})
