import {
  ApplicationIntegrationType,
  type BaseInteraction,
  channelMention,
  InteractionContextType,
  PermissionFlagsBits,
} from 'discord.js'
import { CommandRefusal } from '../refusals/command-refusal.ts'
import type { Asking, Command } from './command.ts'
import { guildOf, isGuest } from './guest.ts'
import { isOperator, type Known, memberContextOf } from './member-context.ts'
import type { RouterOptions } from './router-options.ts'

/** The person and the place of an interaction, and what the bot may do there. */
export interface InteractionContext extends Pick<Asking, 'guild' | 'caller' | 'tipping'> {
  /** The ids of the interaction's channel and, for a thread, of its parent channel. */
  readonly channels: readonly string[]
  /** Whether a channel no longer exists in the server. */
  isGone(channel: string): boolean
  /** Whether the bot may send messages in this place that answer no command. */
  readonly mayWrite: boolean
  /** Whether the bot is not a member of this place. */
  readonly isGuest: boolean
  /** Whether Discord shows the bot's public answers only to the person. */
  readonly isHushed: boolean
  readonly homeGuildId: string | undefined
}

/** The fields that are read from an interaction of any kind. */
type Somewhere = Known & Pick<BaseInteraction, 'channelId' | 'channel' | 'guild' | 'appPermissions'>

const { ViewChannel, SendMessages, SendMessagesInThreads, EmbedLinks, AttachFiles, UseExternalApps } =
  PermissionFlagsBits

/** Whether the server itself has added the application, with the bot or only with its commands. */
function isOfServer({ guildId, authorizingIntegrationOwners: owners }: Somewhere): boolean {
  return guildId !== null && owners?.[ApplicationIntegrationType.GuildInstall] === guildId
}

/** Returns where an interaction took place, and what the bot may do there. */
export function interactionContextOf(
  interaction: Somewhere,
  { tipping, homeGuildId, threadOf }: Pick<RouterOptions, 'tipping' | 'homeGuildId' | 'threadOf'>,
): InteractionContext {
  const { channelId, channel, guild: server, appPermissions, memberPermissions, context } = interaction
  const thread = channel?.isThread() ? channel : threadOf(interaction)
  const send = thread === undefined ? SendMessages : SendMessagesInThreads
  const guest = isGuest(interaction)
  // In the conversation with the bot, Discord only says what answers may do.
  // https://docs.discord.com/developers/interactions/receiving-and-responding
  const mayWrite =
    context === InteractionContextType.BotDM || appPermissions.has([ViewChannel, send, EmbedLinks, AttachFiles])
  return {
    guild: guildOf(interaction),
    caller: memberContextOf(interaction, tipping),
    channels: [channelId, thread?.parentId].filter((id) => typeof id === 'string'),
    isGone: (id) => server?.available === true && !server.channels.cache.has(id),
    isGuest: guest,
    mayWrite: !guest && mayWrite,
    // https://docs.discord.com/developers/topics/permissions (USE_EXTERNAL_APPS): for people who have installed it for
    // themselves.
    isHushed: guest && memberPermissions?.has([UseExternalApps, send]) === false && !isOfServer(interaction),
    tipping,
    homeGuildId,
  }
}

/**
 * Resolves to the reason why a command is refused here or for this person; undefined if it is allowed. Runs before the
 * acknowledgement, so it reads the book only if it matters whether the person moderates the server.
 */
export async function whyNotAllowed(
  command: Pick<Command, 'where' | 'answer' | 'moderators' | 'announces'>,
  { guild, channels: here, caller, tipping, homeGuildId, isGone, mayWrite, isGuest, isHushed }: InteractionContext,
): Promise<CommandRefusal | undefined> {
  if (command.where === 'server' && guild === null) return new CommandRefusal('commandRefusals.servers-only')
  if (command.answer === 'public' && isHushed) return new CommandRefusal('commandRefusals.only-you')
  const { channels } = tipping.preferences.ofServer(guild)
  // Public answers appear in the server's chosen channels; moderators may use any.
  if (command.answer === 'public' && channels.length > 0) {
    const left = channels.filter((channel) => !isGone(channel))
    const facts = { channels: left.map((id) => channelMention(id)).join(' ') }
    if (!here.some((channel) => left.includes(channel)) && !(await caller.moderates()))
      return left.length === 0
        ? new CommandRefusal('commandRefusals.channels-gone')
        : new CommandRefusal('commandRefusals.other-channel', facts)
  }
  if (command.moderators && !(await caller.moderates())) return new CommandRefusal('commandRefusals.moderators-only')
  if (command.where === 'home' && !isOperator({ caller, guild }, homeGuildId)) {
    return new CommandRefusal('commandRefusals.operators-only')
  }
  if (!command.announces || mayWrite) return undefined
  return new CommandRefusal(isGuest ? 'commandRefusals.servers-only' : 'commandRefusals.cannot-write')
}
