import { ChannelType, Client, Events, GatewayDispatchEvents } from 'discord.js'
import { expect, it } from 'vitest'
import { hearReactions } from '../../src/bot/message-tips/reactions.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import type { ReactionCommand } from '../../src/tipping/tipping.ts'
import { FakeTipping } from '../support/fake-tipping.ts'

const [GUILD, CHANNEL, THREAD, ALICE, BOB] = ['1', '2', '3', '4', '5']

/**
 * Returns the commands that result when alice reacts with ⚡ in a thread of #two, in a server that permits the bot only
 * in these channels.
 */
async function zapInThread(channels: string[], knowsIt = true, elsewhere?: string[]): Promise<ReactionCommand[]> {
  return await react({ channels, knowsIt, elsewhere })
}

interface How {
  readonly channels?: string[]
  readonly knowsIt?: boolean
  readonly elsewhere?: string[] | undefined
  readonly emoji?: object
  /** The text with which a moderator sets the server's emoji. */
  readonly text?: string
  /** Whether alice has set a limit up to which the server's emoji give. */
  readonly ceiling?: boolean
}

async function react(how: How): Promise<ReactionCommand[]> {
  const { channels = [], knowsIt = true, elsewhere, emoji = { name: '⚡' }, text = '', ceiling = false } = how
  const client = new Client({ intents: [] })
  const tipping = new FakeTipping()
  await tipping.preferences.change({ member: ALICE, change: { reactionTip: 21_000n as never } })
  if (ceiling) await tipping.preferences.change({ member: ALICE, change: { emojiCeiling: 500_000n as never } })
  await tipping.preferences.changeEmojiTips({ guild: GUILD, member: ALICE, text })
  await tipping.preferences.changeServer({ guild: GUILD, member: ALICE, change: { channels } })
  if (elsewhere !== undefined) tipping.preferences.changedElsewhere(GUILD, { channels: elsewhere })
  const reacted: ReactionCommand[] = []
  Object.assign(tipping.messageTips, { react: async (command: ReactionCommand) => void reacted.push(command) })
  const thread = { id: THREAD, type: ChannelType.PublicThread, parentId: CHANNEL, isThread: () => true }
  if (knowsIt) client.channels.cache.set(THREAD, thread as never)
  const heard = hearReactions(client, {
    rest: { get: async () => ({ id: THREAD, type: thread.type, parent_id: CHANNEL }) } as never,
    tipping,
    servers: { learn: async () => undefined },
    members: { find: async () => ({ id: BOB, bot: false }) } as never,
    messenger: {} as never,
    translatorFor: () => ({}) as never,
    serverLocale: () => 'en',
    log: silentLogger,
  })
  const about = { guild_id: GUILD, channel_id: THREAD, message_id: '6', message_author_id: BOB, user_id: ALICE }
  client.emit(Events.Raw, {
    t: GatewayDispatchEvents.MessageReactionAdd,
    d: { ...about, emoji: { id: null, ...emoji } },
  } as never)
  await heard.settled()
  return reacted
}

it('a reaction in a thread counts only if tips are allowed in the thread’s channel', async () => {
  expect(await zapInThread([])).toHaveLength(1)
  expect(await zapInThread([CHANNEL])).toMatchObject([{ from: ALICE, origin: { channel: THREAD } }])
  expect(await zapInThread(['another'])).toEqual([])
})

it('a custom emoji for tips is recognized by its id, and any other by its character', async () => {
  const own = '<:party:123456789012345678>'
  const heard = async (emoji: object, text = `🔥 100\n${own} 21`) => {
    const tips = await react({ emoji, text, ceiling: true })
    return tips.map(({ emoji: key, origin }) => [key, origin.interaction])
  }
  expect(await heard({ name: '🔥' })).toEqual([['🔥', 'reaction 6 4 🔥']])
  expect(await heard({ name: 'party', id: '123456789012345678' })).toEqual([
    ['123456789012345678', 'reaction 6 4 123456789012345678'],
  ])
  expect(await heard({ name: '💧' })).toEqual([])
  expect(await heard({ name: '⚡' }, '⚡️ 100')).toEqual([['⚡', 'reaction 6 4']])
})

it('a reaction with a server’s emoji gives no tip if the giver allows only ⚡ tips', async () => {
  expect(await react({ emoji: { name: '🔥' }, text: '🔥 100', ceiling: false })).toEqual([])
})

it('a server’s choice of channels made through another bot applies to reaction tips', async () => {
  expect(await zapInThread([], true, ['another'])).toEqual([])
  expect(await zapInThread(['another'], true, [CHANNEL])).toHaveLength(1)
})

it('a reaction in an unknown thread makes the bot look up the thread’s channel', async () => {
  expect(await zapInThread([CHANNEL], false)).toHaveLength(1)
  expect(await zapInThread(['another'], false)).toEqual([])
})
