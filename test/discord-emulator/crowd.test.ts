import { expect, onTestFinished, test } from 'vitest'
import { createEmulator } from '../../src/discord-emulator/emulator.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { register, restOf, startBot } from './fixture.ts'

const SHARDS = 10

async function startCrowd(servers: number, membersOfEach = 100) {
  const emulator = await createEmulator({
    ...{ clock: systemClock, entropy: systemEntropy },
    ...{ requestsPerSecond: 100_000, shards: SHARDS },
  })
  onTestFinished(() => emulator.close())
  return { emulator, crowd: emulator.world.addCrowd({ servers, membersOfEach }) }
}

test('a million people in 10,000 servers are created only when they are needed', async () => {
  const { emulator, crowd } = await startCrowd(10_000)
  const rest = restOf({ emulator })
  const [server, person] = [crowd.serverId(7_777), crowd.memberId(7_777, 42)]
  // Only the bot is there.
  expect(emulator.world.people()).toHaveLength(1)
  expect(await rest.get(`/guilds/${server}`, { query: new URLSearchParams({ with_counts: 'true' }) })).toMatchObject({
    approximate_member_count: 101,
  })
  expect(await rest.get(`/guilds/${server}/members/${person}`)).toMatchObject({ user: { id: person } })
  await expect(rest.get(`/guilds/${crowd.serverId(7_776)}/members/${person}`)).rejects.toMatchObject({ status: 404 })
  await expect(rest.get(`/users/${crowd.memberId(10_000, 0)}`)).rejects.toMatchObject({ status: 404 })
  expect(
    emulator
      .as(person)
      .servers()
      .map(({ id }) => id),
  ).toEqual([server])
  expect(emulator.world.people().length).toBeLessThan(110)
})

test('people who join or leave change the member count of a server in a crowd', async () => {
  const { emulator, crowd } = await startCrowd(2, 3)
  const [server, person] = [crowd.serverId(0), crowd.memberId(0, 1)]
  const stranger = emulator.world.createPerson({ username: 'stranger' })
  const count = async () =>
    (await restOf({ emulator }).get(`/guilds/${server}`, { query: new URLSearchParams({ with_counts: 'true' }) })) as {
      approximate_member_count: number
    }
  emulator.world.addMember(server, stranger.id)
  expect(await count()).toMatchObject({ approximate_member_count: 5 })
  emulator.world.removeMember(server, person)
  expect(await count()).toMatchObject({ approximate_member_count: 4 })
  expect(emulator.as(person).servers()).toEqual([])
  emulator.world.addMember(server, person)
  expect(await count()).toMatchObject({ approximate_member_count: 5 })
})

test('each of ten shards receives the events and commands of its own servers only', async () => {
  const { emulator, crowd } = await startCrowd(200)
  await register({ emulator }, [{ name: 'ping', description: 'x' }])
  const client = await startBot({ emulator }, { shards: 'auto' })
  expect(client.ws.shards.size).toBe(SHARDS)
  expect(client.guilds.cache.size).toBe(200)
  for (const { id, shardId, memberCount } of client.guilds.cache.values()) {
    expect(shardId).toBe(Number((BigInt(id) >> 22n) % BigInt(SHARDS)))
    expect(memberCount).toBe(101)
  }
  const perShard = client.ws.shards.map(
    (_, shard) => client.guilds.cache.filter(({ shardId }) => shardId === shard).size,
  )
  expect(perShard).toEqual(Array.from({ length: SHARDS }, () => 20))
  const heard = new Map<string, number>()
  client.on('interactionCreate', async (interaction) => {
    if (!interaction.isChatInputCommand() || interaction.guild === null) return
    heard.set(interaction.guildId ?? '', interaction.guild.shardId)
    await interaction.reply('pong')
  })
  const asked = Array.from({ length: 40 }, (_, index) =>
    emulator.as(crowd.memberId(index, 5)).run(crowd.channelId(index), 'ping'),
  )
  for (const { state } of await Promise.all(asked.map((handle) => handle.answered()))) expect(state).toBe('answered')
  expect(heard).toEqual(new Map(asked.map((_, index) => [crowd.serverId(index), index % SHARDS])))
})
