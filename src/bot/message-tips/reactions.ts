import {
  type APIChannel,
  type Client,
  Events,
  GatewayDispatchEvents,
  type GatewayDispatchPayload,
  Routes,
} from 'discord.js'
import type { Logger } from '../../lib/logger.ts'
import { emojiKey, type Tipping, ZAP } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import { refusal } from '../messages/panel.ts'
import type { GuildMembers } from '../people/guild-members.ts'
import { explanation } from '../refusals/explanation.ts'
import type { LearnServers } from '../transport/learn-servers.ts'
import type { Messenger } from '../transport/messenger.ts'
import type { Calls } from '../transport/permits.ts'

export interface ReactionOptions {
  readonly rest: Calls
  readonly tipping: Tipping
  readonly members: GuildMembers
  readonly servers: Pick<LearnServers, 'learn'>
  readonly messenger: Messenger
  readonly translatorFor: (locale: string) => Translator
  readonly serverLocale: (guild: string | null) => string | undefined
  readonly log: Logger
}

export interface Reactions {
  /** Resolves when every received reaction has had its effect. */
  settled(): Promise<void>
}

interface Reaction {
  readonly guild: string
  readonly channel: string
  readonly message: string
  /** The key of the emoji: the id of a server's own emoji, otherwise the result of `emojiKey`. */
  readonly emoji: string
  readonly author: string
  readonly from: string
  readonly fromName: string | undefined
}

/**
 * Turns reactions into tips, for people who switched that on: reactions with ⚡, and with emoji to which a server
 * assigned an amount. Reads Discord's raw events, which contain the message's author, whereas discord.js would first
 * have to load the message. A reaction that is added twice, or removed and added again, tips only once.
 */
export function hearReactions(client: Client, options: ReactionOptions): Reactions {
  const running = new Set<Promise<void>>()
  client.on(Events.Raw, (packet: GatewayDispatchPayload) => {
    const reaction = readReaction(packet, options)
    if (reaction === undefined) return
    const tipping = tip(reaction, client, options).finally(() => running.delete(tipping))
    running.add(tipping)
  })
  return {
    async settled() {
      await Promise.all(running)
    },
  }
}

/**
 * Reads a reaction; undefined for other events, for emoji without an amount there, for a bot's reaction, and for an
 * author's reaction to the author's own message.
 */
function readReaction(packet: GatewayDispatchPayload, { tipping }: ReactionOptions): Reaction | undefined {
  if (packet.t !== GatewayDispatchEvents.MessageReactionAdd) return undefined
  const { emoji, guild_id, channel_id, message_id, message_author_id, user_id, member } = packet.d
  if (guild_id === undefined || message_author_id === undefined) return undefined
  const key = emoji.id ?? emojiKey(emoji.name ?? '')
  const { emojiTips } = tipping.preferences.ofServer(guild_id)
  if (key !== ZAP && !emojiTips.some((tip) => emojiKey(tip.emoji) === key)) return undefined
  if (member?.user.bot || user_id === message_author_id) return undefined
  const fromName = member?.nick ?? member?.user.global_name ?? member?.user.username
  return {
    guild: guild_id,
    channel: channel_id,
    message: message_id,
    emoji: key,
    author: message_author_id,
    from: user_id,
    fromName,
  }
}

/** Whether a channel is in this list, or is a thread of a channel in the list. */
async function isIn(channels: readonly string[], id: string, client: Client, rest: Calls): Promise<boolean> {
  if (channels.includes(id)) return true
  const known = client.channels.cache.get(id)
  if (known !== undefined) return known.isThread() && known.parentId !== null && channels.includes(known.parentId)
  // Discord reports each thread before its first message, but not to a process that started later.
  const asked = (await rest.get(Routes.channel(id))) as APIChannel
  return 'parent_id' in asked && channels.includes(asked.parent_id ?? '')
}

async function tip(reaction: Reaction, client: Client, options: ReactionOptions): Promise<void> {
  const { rest, tipping, members, messenger, translatorFor, serverLocale, servers } = options
  const { guild, channel, message, emoji, author: authorId, from, fromName } = reaction
  const log = options.log.child({ interaction: message, command: 'reaction' })
  try {
    const { reactionTip, emojiCeiling } = await tipping.preferences.of(from)
    if (emojiCeiling === undefined && (emoji !== ZAP || reactionTip === undefined)) return
    const { channels } = await tipping.preferences.inForce(guild)
    if (channels.length > 0 && !(await isIn(channels, channel, client, rest))) return
    const author = await members.find(guild, authorId)
    if (author === undefined || author.bot) return
    await servers.learn(guild)
    const locale = tipping.preferences.languageOf(from) ?? serverLocale(guild) ?? 'en'
    // Each emoji gives once for each message and giver.
    const which = emoji === ZAP ? '' : ` ${emoji}`
    const origin = { interaction: `reaction ${message} ${from}${which}`, guild, channel, reply: '', locale }
    try {
      const reaction = { from, fromName, message, emoji, author, accountSince: accountSince(from), origin }
      await tipping.invoicedTips.react({ ...reaction, announced: origin })
    } catch (error) {
      const text = explanation(error, translatorFor(locale), log)
      await messenger.post(await messenger.privateChannel(from), refusal(text))
    }
  } catch (error) {
    log.warn({ err: error }, 'a reaction could not be followed')
  }
}

const DISCORD_EPOCH_MS = 1_420_070_400_000n

/**
 * Returns when an account was created, according to its id. https://docs.discord.com/developers/reference#snowflakes
 */
function accountSince(id: string): Date {
  return new Date(Number((BigInt(id) >> 22n) + DISCORD_EPOCH_MS))
}
