import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Events, type Interaction, Routes } from 'discord.js'
import { expect, onTestFinished, test } from 'vitest'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { takePortBlock } from '../../src/lib/http/port-block.ts'
import { register, restOf, startBot, startWorld } from './fixture.ts'

test('servers, people, messages, files, commands and the token survive a restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'emulator-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const dataFile = join(folder, 'discord.sqlite')
  const block = await takePortBlock(systemEntropy)
  onTestFinished(() => block.giveBack())
  const [port = 0] = block.ports
  const before = await startWorld({ dataFile, port })
  await register(before, [{ name: 'ping', description: 'x' }])
  const { general } = before.channels
  const files = [{ name: 'a.txt', data: Buffer.from('abc') }]
  await restOf(before).post(Routes.channelMessages(general), { body: { content: 'kept' }, files })
  before.alice.react(general, before.alice.conversation(general)[0]?.id ?? '', '⚡')
  const client = await startBot(before)
  const arrival = new Promise<Interaction>((resolve) => client.once(Events.InteractionCreate, resolve))
  before.alice.run(general, 'ping')
  const interaction = await arrival
  if (interaction.isChatInputCommand()) await interaction.deferReply({ flags: 64 })
  const seen = before.alice.conversation(general)
  await client.destroy()
  await before.emulator.close()

  const after = await startWorld({ dataFile, port })
  expect(after.emulator.token).toBe(before.emulator.token)
  expect(after.people).toEqual(before.people)
  expect(after.channels).toEqual(before.channels)
  expect(after.alice.conversation(general)).toEqual(seen)
  expect(await (await fetch(seen[0]?.attachments[0]?.url ?? '')).text()).toBe('abc')
  expect(after.alice.commands(general)).toMatchObject([{ path: 'ping' }])
  const path = Routes.webhookMessage(after.emulator.applicationId, interaction.token, '@original')
  await restOf(after).patch(path, { body: { content: 'after all' }, auth: false })
  expect(after.alice.conversation(general)[1]).toMatchObject({ content: 'after all', ephemeral: true, loading: false })
  expect(after.bob.conversation(general)).toHaveLength(1)
  const newer = after.bob.say(general, 'newest')
  expect(after.bob.conversation(general).at(-1)?.id).toBe(newer.id)
})
