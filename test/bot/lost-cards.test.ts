import { expect, test } from 'vitest'
import { everyonesPermissions, permission } from '../../src/discord-emulator/world/permissions.ts'
import { type Lounge, startLounge, textOf } from './lounge.ts'

/** A server that has not invited the bot, with alice and bob in it; alice has installed the bot for herself. */
function elsewhere({ emulator, people }: Lounge, blockedWords: readonly string[] = []) {
  const { world } = emulator
  const { id } = world.createServer({ name: 'Elsewhere', ownerId: people.mod, application: 'none', blockedWords })
  for (const person of [people.alice, people.bob]) world.addMember(id, person)
  world.installFor(people.alice)
  return { server: id, channel: world.createChannel(id, { name: 'talk' }).id }
}

test('a card in a thread that sleeps waits, and is drawn when somebody writes there', async () => {
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

test('what AutoMod blocks is said without what people wrote', async () => {
  const lounge = await startLounge({ everywhere: true })
  const { alice, bob, done, people, tipping } = lounge
  const { channel } = elsewhere(lounge, ['darn'])
  await done(alice.run(channel, 'tip', { to: people.bob, amount: '500', note: 'darn good' }))
  expect(tipping.asked).toHaveLength(1)
  const text = bob.conversation(channel).map(textOf).join('\n')
  expect(text).toMatch(/tipped/)
  expect(text).not.toMatch(/darn/)
})

test('a tip that no channel can show is told privately to those whose money it is', async () => {
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
    expect(text).toMatch(/Alice \(<@\d+>\) tipped Bob \(<@\d+>\)/)
  }
})

test('a tip that only its giver would see is refused before anything moves', async () => {
  const lounge = await startLounge({ everywhere: true })
  const { alice, done, emulator, people, tipping } = lounge
  const { server, channel } = elsewhere(lounge)
  emulator.world.setPermissions(server, everyonesPermissions & ~permission.useExternalApps)
  const [answer] = await done(alice.run(channel, 'tip', { to: people.bob, amount: '500' }))
  expect(textOf(answer)).toMatch(/shows what I say to you alone[\s\S]*\[Invite me to a server\]/)
  expect(tipping.asked).toEqual([])
})

test('where the bot is no member, a claim says how long its button works', async () => {
  const lounge = await startLounge({ everywhere: true })
  const { alice, bob, done, people, tipping } = lounge
  const { channel } = elsewhere(lounge)
  tipping.states.set(people.bob, 'parked')
  await done(alice.run(channel, 'tip', { to: people.bob, amount: '500' }))
  expect(bob.conversation(channel).map(textOf).join('\n')).toMatch(/The button works for 15 minutes here/)
})
