import { type BaseInteraction, channelMention, PermissionFlagsBits } from 'discord.js'
import type { Asking, Command } from './command.ts'
import { CommandRefusal } from './command-refusal.ts'
import { guildOf, isGuest } from './guest.ts'
import { type Known, memberContextOf } from './member-context.ts'
import { isOperator } from './operators.ts'
import type { RouterOptions } from './router-options.ts'

/** Who gives a command, and where. */
export interface InteractionContext extends Pick<Asking, 'guild' | 'caller' | 'tipping'> {
  /** The channel; of a thread, the channel that it belongs to as well. */
  readonly channels: readonly string[]
  /** Whether the server has no such channel any more. */
  isGone(channel: string): boolean
  /** Whether the bot may say something there by itself, without being asked. */
  readonly mayWrite: boolean
  readonly homeGuildId: string | undefined
}

/** All that it takes of an interaction of any kind. */
type Somewhere = Known & Pick<BaseInteraction, 'channelId' | 'channel' | 'guild' | 'appPermissions'>

const { ViewChannel, SendMessages, SendMessagesInThreads, EmbedLinks, AttachFiles } = PermissionFlagsBits

/** Where an interaction took place, and what the bot may do there. */
export function interactionContextOf(
  interaction: Somewhere,
  { tipping, homeGuildId, threadOf }: Pick<RouterOptions, 'tipping' | 'homeGuildId' | 'threadOf'>,
): InteractionContext {
  const { channelId, channel, guild: server, appPermissions } = interaction
  const thread = channel?.isThread() ? channel : threadOf(interaction)
  const send = thread === undefined ? SendMessages : SendMessagesInThreads
  return {
    guild: guildOf(interaction),
    caller: memberContextOf(interaction, tipping),
    channels: [channelId, thread?.parentId].filter((id) => typeof id === 'string'),
    isGone: (id) => server?.available === true && !server.channels.cache.has(id),
    mayWrite: !isGuest(interaction) && appPermissions.has([ViewChannel, send, EmbedLinks, AttachFiles]),
    tipping,
    homeGuildId,
  }
}

/**
 * Why a command may not be given here, or not by the person who gives it; known before anything is acknowledged. The book is
 * asked only where it matters whether they moderate the server.
 */
export async function whyNot(
  command: Pick<Command, 'where' | 'answer' | 'moderators' | 'announces'>,
  { guild, channels: here, caller, tipping, homeGuildId, isGone, mayWrite }: InteractionContext,
): Promise<CommandRefusal | undefined> {
  if (command.where === 'server' && guild === null) return new CommandRefusal('commandRefusals.servers-only')
  const { channels } = tipping.preferences.ofServer(guild)
  // What all see is said where the server wants it; moderators know what they do.
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
  return command.announces && !mayWrite ? new CommandRefusal('commandRefusals.cannot-write') : undefined
}
