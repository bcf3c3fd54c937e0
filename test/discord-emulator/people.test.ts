import { Events, MessageFlags } from 'discord.js'
import { expect, test } from 'vitest'
import type { EmulatorEvent } from '../../src/discord-emulator/views.ts'
import { register, restOf, startBot, startWorld } from './fixture.ts'

test('a person sees only accessible channels, and members with their roles and avatars', async () => {
  const world = await startWorld()
  const [alices] = world.alice.servers()
  const [mods] = world.mod.servers()
  expect(alices?.channels.map(({ name }) => name)).toEqual(['general', 'tips', 'giveaways'])
  expect(mods?.channels.map(({ name }) => name)).toContain('mods')
  const member = (username: string) => alices?.members.find((each) => each.username === username)
  expect(member('mod')).toMatchObject({ moderator: true })
  expect(member('alice')).toMatchObject({ moderator: false, roleIds: [world.roles.regulars] })
  expect(Date.parse(member('newcomer')?.createdAt ?? '')).toBeGreaterThan(Date.now() - 60_000)
  expect(Date.parse(member('alice')?.createdAt ?? '')).toBeLessThan(Date.now() - 365 * 24 * 3_600_000)
  expect(await (await fetch(member('alice')?.avatarUrl ?? '')).text()).toContain('<svg')
  expect(JSON.parse(JSON.stringify(alices))).toEqual(alices)
})

test('an observer receives each event and learns whether only one person can see it', async () => {
  const world = await startWorld()
  const heard: EmulatorEvent[] = []
  const stop = world.emulator.subscribe((event) => heard.push(event))
  const { general } = world.channels
  const said = world.bob.say(general, 'hi')
  world.alice.react(general, said.id, '⚡')
  await restOf(world).post(`/channels/${general}/typing`)
  world.bob.delete(general, said.id)
  await register(world, [{ name: 'ping', description: 'x' }])
  const handle = world.alice.run(general, 'ping')
  stop()
  world.bob.say(general, 'unheard')
  expect(heard.map(({ type }) => type)).toEqual([
    'message-created',
    'message-updated',
    'typing',
    'message-deleted',
    'world',
    'interaction',
  ])
  expect(heard.at(-1)).toMatchObject({
    visibleTo: world.people.alice,
    interaction: { id: handle.id, state: 'waiting' },
  })
})

test('an impossible action is refused with an explanation', async () => {
  const world = await startWorld()
  const { general } = world.channels
  const said = world.bob.say(general, 'hi')
  expect(() => world.alice.say(general, 'x'.repeat(2001))).toThrow('Your message is too long.')
  expect(() => world.alice.say(general, '  ')).toThrow('Write something first.')
  expect(() => world.alice.delete(general, said.id)).toThrow('You cannot delete this message.')
  expect(() => world.alice.press(general, said.id, 'claim')).toThrow('There is no such button')
  expect(() => world.alice.react(general, said.id, 'bolt')).toThrow('Unknown Emoji')
  expect(() => world.alice.submit('1', {})).toThrow('There is no form to send.')
  world.mod.delete(general, said.id)
  expect(() => world.bob.say(general, 'hm', { replyTo: said.id })).toThrow('This message is gone.')
  world.emulator.world.deleteChannel(general)
  expect(() => world.bob.say(general, 'hm')).toThrow('You do not have access to this channel.')
})

test('only private messages can be dismissed, and only by the person who sees them', async () => {
  const world = await startWorld()
  const { general } = world.channels
  await register(world, [{ name: 'ping', description: 'x' }])
  const client = await startBot(world)
  client.on(Events.InteractionCreate, (interaction) => {
    if (interaction.isRepliable()) void interaction.reply({ content: 'psst', flags: MessageFlags.Ephemeral })
  })
  const handle = world.alice.run(general, 'ping')
  await handle.answered()
  const id = handle.messages()[0]?.id ?? ''
  expect(() => world.bob.dismiss(general, id)).toThrow('This message is gone.')
  world.alice.dismiss(general, id)
  expect(world.alice.conversation(general)).toEqual([])
  const said = world.bob.say(general, 'hi')
  expect(() => world.alice.dismiss(general, said.id)).toThrow('This message cannot be dismissed.')
})
