import { type BaseInteraction, Events, type Interaction, MessageFlags } from 'discord.js'
import { expect, test } from 'vitest'
import { everyonesPermissions, permission } from '../../src/discord-emulator/world/permissions.ts'
import type { NewServer } from '../../src/discord-emulator/world-builder.ts'
import { refusal, register, restOf, type StartedWorld, startBot, startWorld } from './fixture.ts'

const PING = [{ name: 'ping', description: 'x', integration_types: [0, 1], contexts: [0, 1, 2] }]
/**
 * The permissions in the conversation with the bot, from Discord's documentation; `ELSEWHERE` are those in other
 * conversations.
 */
const WITH_BOT = 442_368n
const ELSEWHERE = 180_224n

/** Returns alice's server with bob in it and one channel; alice has installed the application for herself. */
function serverOf({ emulator, people }: StartedWorld, options: Partial<NewServer> = {}) {
  const { world } = emulator
  const { id: serverId } = world.createServer({
    name: 'Elsewhere',
    ownerId: people.mod,
    application: 'none',
    ...options,
  })
  for (const id of [people.alice, people.bob]) world.addMember(serverId, id)
  world.installFor(people.alice)
  return { serverId, channel: world.createChannel(serverId, { name: 'talk' }).id }
}

/**
 * Starts a client that answers each interaction with a short text. Returns a function that resolves to the next
 * interaction as the client reads it.
 */
async function nextInteraction(world: StartedWorld) {
  await register(world, PING)
  const client = await startBot(world)
  return (): Promise<BaseInteraction> =>
    new Promise((resolve) => {
      client.once(Events.InteractionCreate, (interaction: Interaction) => {
        if (interaction.isRepliable()) void interaction.reply('pong').catch(() => undefined)
        resolve(interaction)
      })
    })
}

test('an interaction shows what its answers may do where the bot is not a member', async () => {
  const world = await startWorld()
  const next = await nextInteraction(world)
  const bitsIn = async (channel: string) => {
    const heard = next()
    await world.alice.run(channel, 'ping').answered()
    return (await heard).appPermissions.bitfield
  }
  const { alice, emulator, people } = world
  const stranger = serverOf(world)
  expect(await bitsIn(alice.openDm(emulator.applicationId).id)).toBe(WITH_BOT)
  expect(await bitsIn(alice.openDm(people.bob).id)).toBe(ELSEWHERE)
  expect(await bitsIn(alice.openGroup([people.bob, people.carol], 'three').id)).toBe(ELSEWHERE)
  expect(await bitsIn(stranger.channel)).toBe(ELSEWHERE)
  expect(await bitsIn(serverOf(world, { application: 'commands' }).channel)).toBe(ELSEWHERE)
  expect(await bitsIn(world.channels.general)).not.toBe(ELSEWHERE)
})

test('commands can be used in a server where they are installed without the bot', async () => {
  const world = await startWorld()
  const next = await nextInteraction(world)
  const { serverId, channel } = serverOf(world, { application: 'commands' })
  const heard = next()
  await world.bob.run(channel, 'ping').answered()
  const { authorizingIntegrationOwners: owners, guild } = await heard
  expect([owners[0], guild]).toEqual([serverId, null])
  const rest = restOf(world)
  const base = `/channels/${channel}/messages` as const
  expect(await refusal(rest.get(`/guilds/${serverId}`))).toMatchObject({ status: 403, code: 50001 })
  expect(await refusal(rest.get(`/guilds/${serverId}/channels`))).toMatchObject({ code: 50001 })
  expect(await refusal(rest.post(base, { body: { content: 'x' } }))).toMatchObject({ code: 50001 })
  await rest.put(`/applications/${world.emulator.applicationId}/guilds/${serverId}/commands`, { body: [] })
})

test('an interaction names both the person’s installation and the server’s', async () => {
  const world = await startWorld()
  const next = await nextInteraction(world)
  world.emulator.world.installFor(world.people.alice)
  const heard = next()
  await world.alice.run(world.channels.general, 'ping').answered()
  const { authorizingIntegrationOwners: owners } = await heard
  expect([owners[0], owners[1]]).toEqual([world.serverId, world.people.alice])
})

test.each([
  ['where external apps are denied', permission.useExternalApps],
  ['where the person may not write', permission.sendMessages],
])('%s, an answer is visible only to the person who asked', async (_, denied) => {
  const world = await startWorld()
  const next = await nextInteraction(world)
  const { serverId, channel } = serverOf(world)
  world.emulator.world.setPermissions(serverId, everyonesPermissions & ~denied)
  const heard = next()
  const handle = world.alice.run(channel, 'ping')
  await handle.answered()
  expect((await heard).memberPermissions?.bitfield).toBe(everyonesPermissions & ~denied)
  expect(handle.messages()).toMatchObject([{ content: 'pong', visibleTo: world.people.alice }])
  expect(world.bob.conversation(channel)).toEqual([])
})

test('a sixth followup is refused unless the server has installed the application', async () => {
  const world = await startWorld()
  await register(world, PING)
  const client = await startBot(world)
  const followed = async (channel: string) => {
    const heard = new Promise<unknown[]>((resolve) => {
      client.once(Events.InteractionCreate, async (interaction) => {
        if (!interaction.isRepliable()) return
        await interaction.reply('pong')
        const results: unknown[] = []
        for (let nth = 1; nth <= 6; nth += 1)
          results.push(
            await interaction.followUp({ content: `${nth}`, flags: MessageFlags.Ephemeral }).then(
              () => 'sent',
              (error: { readonly code: number }) => error.code,
            ),
          )
        resolve(results)
      })
    })
    await world.alice.run(channel, 'ping').answered()
    return await heard
  }
  const sent = Array.from({ length: 5 }, () => 'sent')
  expect(await followed(serverOf(world).channel)).toEqual([...sent, 40_094])
  expect(await followed(world.channels.general)).toEqual([...sent, 'sent'])
})

test('AutoMod checks the words of a bot only if the bot is not a member of the server', async () => {
  const world = await startWorld()
  await register(world, PING)
  const client = await startBot(world)
  client.on(Events.InteractionCreate, async (interaction) => {
    if (!interaction.isRepliable()) return
    await interaction.reply('pong')
    await interaction.editReply('a darned thing').catch(() => interaction.editReply('fine'))
  })
  const seen = async (channel: string) => {
    const handle = world.alice.run(channel, 'ping')
    await handle.answered()
    await expect.poll(() => handle.messages()[0]?.content).not.toBe('pong')
    return handle.messages()[0]?.content
  }
  expect(await seen(serverOf(world, { blockedWords: ['darn'] }).channel)).toBe('fine')
  expect(await seen(serverOf(world, { blockedWords: ['darn'], application: 'bot' }).channel)).toBe('a darned thing')
})

test('messages in an archived thread cannot be edited until a new message reopens it', async () => {
  const world = await startWorld()
  const rest = restOf(world)
  const { world: builder } = world.emulator
  const { id } = builder.createThread(world.channels.general, { name: 'recipes', ownerId: world.people.bob })
  const base = `/channels/${id}/messages` as const
  const message = (await rest.post(base, { body: { content: 'one' } })) as { id: string }
  builder.changeThread(id, { archived: true })
  const edit = () => rest.patch(`${base}/${message.id}`, { body: { content: 'two' } })
  expect(await refusal(edit())).toMatchObject({ status: 400, code: 50083 })
  expect(world.alice.commands(id)).toEqual([])
  expect(() => world.alice.react(id, message.id, '⚡')).toThrow('This thread is archived.')
  await rest.post(base, { body: { content: 'good morning' } })
  await edit()
  builder.changeThread(id, { archived: true, locked: true })
  expect(await refusal(rest.post(base, { body: { content: 'x' } }))).toMatchObject({ code: 160_005 })
  expect(() => world.bob.say(id, 'x')).toThrow('This thread is locked.')
  builder.changeThread(id, { archived: false })
  expect(await refusal(edit())).toMatchObject({ code: 160_005 })
})

test('a client receives threads although they are not in the server’s channel list', async () => {
  const world = await startWorld()
  const { world: builder } = world.emulator
  const early = builder.createThread(world.channels.general, { name: 'early', ownerId: world.people.bob })
  const client = await startBot(world)
  expect(client.channels.cache.get(early.id)?.isThread()).toBe(true)
  const created = new Promise<string>((resolve) => client.once(Events.ThreadCreate, ({ name }) => resolve(name)))
  const late = builder.createThread(world.channels.general, { name: 'late', ownerId: world.people.bob })
  expect(await created).toBe('late')
  const changed = new Promise((resolve) => client.once(Events.ThreadUpdate, (_, thread) => resolve(thread.archived)))
  builder.changeThread(late.id, { archived: true })
  expect(await changed).toBe(true)
  const channels = (await restOf(world).get(`/guilds/${world.serverId}/channels`)) as { id: string }[]
  expect(channels.map(({ id }) => id)).not.toContain(early.id)
})

test('a private thread is visible only to its participants', async () => {
  const world = await startWorld()
  const { id } = world.emulator.world.createThread(world.channels.general, {
    ...{ name: 'quiet', ownerId: world.people.alice, onlyIds: [world.people.bob] },
  })
  world.alice.say(id, 'psst')
  expect(world.bob.conversation(id)).toHaveLength(1)
  expect(() => world.emulator.as(world.people.carol).conversation(id)).toThrow('You do not have access')
  expect(await refusal(restOf(world).get(`/channels/${id}`))).toMatchObject({ code: 50001 })
})

test.each([
  ['Send Messages in Threads (thread)', 'thread', permission.sendMessagesInThreads],
  ['Connect (voice channel)', 'voice', permission.connect],
  ['Connect (stage)', 'stage', permission.connect],
  ['Send Messages (announcement channel)', 'announcement', permission.sendMessages],
] as const)('a message is refused if a permission is missing: %s', async (_, kind, denied) => {
  const world = await startWorld()
  const { world: builder } = world.emulator
  const parent = builder.createChannel(world.serverId, { name: 'there', kind: kind === 'thread' ? 'text' : kind })
  const { id } =
    kind === 'thread' ? builder.createThread(parent.id, { name: 'in it', ownerId: world.people.bob }) : parent
  const write = () => restOf(world).post(`/channels/${id}/messages`, { body: { content: 'x' } })
  await write()
  builder.setOverwrite(parent.id, world.serverId, { deny: denied })
  expect(await refusal(write())).toMatchObject({ status: 403, code: 50013 })
  expect(() => world.bob.say(id, 'x')).toThrow('You do not have permission to send messages')
})

test('a forum accepts messages only in its posts', async () => {
  const world = await startWorld()
  const { world: builder } = world.emulator
  const { id, kind } = builder.createChannel(world.serverId, { name: 'help', kind: 'forum' })
  expect(kind).toBe('forum')
  const write = (channel: string) => restOf(world).post(`/channels/${channel}/messages`, { body: { content: 'x' } })
  expect(await refusal(write(id))).toMatchObject({ code: 40_058 })
  await write(builder.createThread(id, { name: 'How do I …?', ownerId: world.people.bob }).id)
})

test('a group conversation never contains a bot', async () => {
  const world = await startWorld()
  const { alice, people, emulator } = world
  expect(() => alice.openGroup([emulator.applicationId], 'x')).toThrow('There is no such person.')
  const { id, kind } = alice.openGroup([people.bob, people.carol], 'three')
  expect(kind).toBe('group')
  alice.say(id, 'hi')
  expect(world.bob.directMessages().map((each) => each.id)).toContain(id)
  expect(await refusal(restOf(world).get(`/channels/${id}`))).toMatchObject({ code: 50001 })
})

test('a reply needs access to the history and, by default, an existing target', async () => {
  const world = await startWorld()
  const { general } = world.channels
  const rest = restOf(world)
  const said = world.bob.say(general, 'hi')
  const reply = (more: object) =>
    rest.post(`/channels/${general}/messages`, {
      body: { content: 'x', message_reference: { message_id: said.id, ...more } },
    })
  world.emulator.world.setOverwrite(general, world.serverId, { deny: permission.readMessageHistory })
  expect(await refusal(reply({}))).toMatchObject({ status: 403, code: 160_002 })
  world.emulator.world.setOverwrite(general, world.serverId, {})
  world.bob.delete(general, said.id)
  expect(await refusal(reply({}))).toMatchObject({ code: 50_035 })
  expect(await reply({ fail_if_not_exists: false })).toMatchObject({ type: 0, content: 'x' })
})

test('the bot can message people who share no server with it but have installed it', async () => {
  const world = await startWorld()
  const { people, emulator } = world
  const rest = restOf(world)
  const write = async () => {
    const { id } = (await rest.post('/users/@me/channels', { body: { recipient_id: people.outsider } })) as {
      id: string
    }
    return await rest.post(`/channels/${id}/messages`, { body: { content: 'x' } })
  }
  expect(await refusal(write())).toMatchObject({ status: 403, code: 50_278 })
  emulator.world.installFor(people.outsider)
  await write()
  emulator.as(people.outsider).setDmsOpen(false)
  expect(await refusal(write())).toMatchObject({ code: 50_007 })
})

test('a server’s command and a global command of the same name are both listed', async () => {
  const world = await startWorld()
  await register(world, PING)
  const route = `/applications/${world.emulator.applicationId}/guilds/${world.serverId}/commands` as const
  await restOf(world).put(route, { body: PING })
  expect(world.alice.commands(world.channels.general).map(({ path }) => path)).toEqual(['ping', 'ping'])
})

test('only a Community server has its own language', async () => {
  const world = await startWorld()
  const { world: builder } = world.emulator
  const ownerId = world.people.mod
  expect(() => builder.createServer({ name: 'x', ownerId, locale: 'de' })).toThrow('only a Community server')
  const german = builder.createServer({ name: 'Bremen', ownerId, locale: 'de', community: true })
  const read = (id: string) => restOf(world).get(`/guilds/${id}`)
  expect(await read(german.id)).toMatchObject({ preferred_locale: 'de', features: ['COMMUNITY'] })
  expect(await read(world.serverId)).toMatchObject({ preferred_locale: 'en-US', features: [] })
})

test('mentioned people appear by name only if they are notified or already loaded', async () => {
  const world = await startWorld()
  const { general } = world.channels
  const { alice, bob, carol } = world.people
  world.bob.say(general, 'hi')
  const text = `<@${alice}> <@${bob}> <@${carol}>`
  const body = { content: text, embeds: [{ description: text }], allowed_mentions: { users: [alice], parse: [] } }
  await restOf(world).post(`/channels/${general}/messages`, { body })
  const names = world.alice.conversation(general).at(-1)?.names.people ?? {}
  // Bob has written here, and alice is notified. Carol appears by her id.
  expect(Object.keys(names).sort()).toEqual([alice, bob].sort())
})

test('the bot receives no events from channels that it cannot see', async () => {
  const world = await startWorld()
  const client = await startBot(world)
  const { world: builder } = world.emulator
  const botRole = builder.servers()[0]?.roles.find(({ managed }) => managed)?.id ?? ''
  builder.setOverwrite(world.channels.tips, botRole, { deny: permission.viewChannel })
  const first = new Promise((resolve) => client.once(Events.MessageCreate, ({ content }) => resolve(content)))
  world.alice.say(world.channels.tips, 'unheard')
  world.alice.say(world.channels.general, 'heard')
  expect(await first).toBe('heard')
})
