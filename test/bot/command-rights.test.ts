import { PermissionFlagsBits, PermissionsBitField } from 'discord.js'
import { expect, test } from 'vitest'
import { interactionContextOf, whyNotAllowed } from '../../src/bot/interactions/command-rights.ts'
import type { InteractionHandle } from '../../src/discord-emulator/people/interaction-handle.ts'
import { sats } from '../../src/lib/money/amount.ts'
import { type Lounge, startLounge, textOf } from './lounge.ts'

/** Starts a lounge whose bot has lost the role without which it cannot see #mods; `mod` is a moderator. */
async function shutOut() {
  const lounge = await startLounge()
  const { emulator, people, serverId } = lounge
  emulator.world.setRoles(serverId, emulator.applicationId, [])
  return { ...lounge, mod: emulator.as(people.mod) }
}

async function said({ done }: Lounge, handle: InteractionHandle): Promise<string> {
  return (await done(handle)).map((message) => `${message.ephemeral ? 'only you: ' : ''}${textOf(message)}`).join('\n')
}

test('a command that needs permission to post is refused where the bot lacks it', async () => {
  const lounge = await shutOut()
  const { mod, channels, tipping } = lounge
  const refused = /^only you:\s+I am not allowed to write in this channel[\s\S]*Embed Links/
  const { id } = mod.say(channels.mods, 'Soup is ready')
  for (const begun of [
    mod.run(channels.mods, 'giveaway start', { prize: '10', winners: 1, duration: '1h' }),
    mod.run(channels.mods, 'voucher drop', { amount: '10', shares: 1 }),
    mod.run(channels.mods, 'voucher drop', { amount: '10', shares: 1, puzzle: 'trivia' }),
    mod.run(channels.mods, 'pool fundraiser', { amount: '10', goal: '100' }),
    mod.run(channels.mods, 'invoice', { amount: '10' }),
    mod.useOnMessage(channels.mods, id, '⚡ Tip this message'),
  ]) {
    expect(await said(lounge, begun)).toMatch(refused)
  }
  expect(tipping.asked).toEqual([])
})

test('/tip works even where the bot is not allowed to post', async () => {
  const lounge = await shutOut()
  const { mod, channels } = lounge
  expect(await said(lounge, mod.run(channels.mods, 'tip', { to: '@bob', amount: '5' }))).toMatch(/tipped/)
})

test('context-menu commands work only in the channels that the server has chosen', async () => {
  const lounge = await startLounge()
  const { alice, bob, people, channels, tipping, serverId } = lounge
  const change = { channels: [channels.giveaways] }
  await tipping.preferences.changeServer({ guild: serverId, member: people.mod, change })
  const { id } = bob.say(channels.tips, 'Soup is ready')
  const quiet = /^only you:\s+I am not allowed to answer in this channel/
  expect(await said(lounge, alice.useOnPerson(channels.tips, people.bob, '⚡ Tip'))).toMatch(quiet)
  expect(await said(lounge, alice.useOnMessage(channels.tips, id, '⚡ Tip this message'))).toMatch(quiet)
  const opened = await alice.useOnPerson(channels.giveaways, people.bob, '⚡ Tip').answered()
  expect(opened.modal).not.toBeNull()
})

test('a channel’s settings apply to its threads, but its permission to post does not', async () => {
  const { tipping, serverId, people } = await startLounge()
  const change = { channels: ['wanted'] }
  await tipping.preferences.changeServer({ guild: serverId, member: people.mod, change })
  const command = { where: 'server', answer: 'public', announces: true } as const
  const { ViewChannel, SendMessages, SendMessagesInThreads, EmbedLinks, AttachFiles } = PermissionFlagsBits
  const thread = (parentId: string, send: bigint) =>
    ({
      ...{ guildId: serverId, channelId: 'thread', channel: { isThread: () => true, parentId }, guild: null },
      ...{ user: { createdAt: new Date(0) }, member: null, memberPermissions: null },
      appPermissions: new PermissionsBitField([ViewChannel, EmbedLinks, AttachFiles, send]),
    }) as unknown as Parameters<typeof interactionContextOf>[0]
  const why = async (parentId: string, send: bigint) => {
    const around = { tipping, homeGuildId: undefined, threadOf: () => undefined }
    return (await whyNotAllowed(command, interactionContextOf(thread(parentId, send), around)))?.why
  }
  expect(await why('wanted', SendMessagesInThreads)).toBeUndefined()
  expect(await why('wanted', SendMessages)).toBe('commandRefusals.cannot-write')
  expect(await why('another', SendMessagesInThreads)).toBe('commandRefusals.other-channel')
})

test('a confirmation is refused if the bot cannot announce the gift in the channel', async () => {
  const lounge = await startLounge()
  const { emulator, people, serverId, channels, tipping } = lounge
  const mod = emulator.as(people.mod)
  const asked = { asked: '1', total: sats(5), recipients: 1, most: sats(1), left: sats(7), to: [people.bob] }
  tipping.tips.ask = (async () => asked) as unknown as typeof tipping.tips.ask
  const [question] = await lounge.done(mod.run(channels.mods, 'tip', { to: '@bob', amount: '5' }))
  if (question === undefined) throw new Error('nobody asked')
  const confirm = () => said(lounge, mod.press(channels.mods, question.id, 'tip-confirm:1'))
  emulator.world.setRoles(serverId, emulator.applicationId, [])
  expect(await confirm()).toMatch(/^only you:\s+I am not allowed to write in this channel/)
  expect(tipping.asked).toEqual([])
})

test('a refusal refers members only to channels that exist', async () => {
  const lounge = await startLounge()
  const { alice, people, channels, emulator, tipping, serverId } = lounge
  const change = { channels: [channels.giveaways, channels.general] }
  await tipping.preferences.changeServer({ guild: serverId, member: people.mod, change })
  const tip = () => said(lounge, alice.run(channels.tips, 'tip', { to: '@bob', amount: '5' }))
  emulator.world.deleteChannel(channels.giveaways)
  await expect.poll(tip).toMatch(new RegExp(`Use the command in <#${channels.general}>`))
  emulator.world.deleteChannel(channels.general)
  await expect.poll(tip).toMatch(/chosen for me here are gone[\s\S]*\/settings/)
  expect(tipping.asked).toEqual([])
})
