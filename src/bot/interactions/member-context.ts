import { type BaseInteraction, ChannelType, GuildMember, PermissionFlagsBits } from 'discord.js'
import type { Tipping } from '../../tipping/tipping.ts'
import { MANAGERS_RIGHTS, moderates } from '../people/moderators.ts'
import type { Asking, MemberContext } from './command.ts'
import { guildOf, isGuest } from './guest.ts'

const { ViewChannel, SendMessages, EmbedLinks } = PermissionFlagsBits

/** The fields of any interaction that describe its author and its place. */
export type Known = Pick<
  BaseInteraction,
  | 'user'
  | 'member'
  | 'memberPermissions'
  | 'guild'
  | 'guildId'
  | 'channelId'
  | 'locale'
  | 'context'
  | 'authorizingIntegrationOwners'
  | 'appPermissions'
>

/** Combines Discord's facts about an interaction's author with the server's settings. */
export function memberContextOf(interaction: Known, tipping: Pick<Tipping, 'preferences'>): MemberContext {
  const { user } = interaction
  // Rights in a server where the bot is a guest do not extend to the bot.
  const guest = isGuest(interaction)
  const member = guest ? null : interaction.member
  const memberPermissions = guest ? null : interaction.memberPermissions
  const known = member !== null && 'joinedAt' in member ? member : undefined
  const joinedAt = known?.joinedAt ?? (member !== null && 'joined_at' in member ? member.joined_at : null)
  const roles = member === null ? [] : Array.isArray(member.roles) ? member.roles : [...member.roles.cache.keys()]
  const manager = memberPermissions?.any(MANAGERS_RIGHTS) ?? false
  return {
    accountSince: user.createdAt,
    memberSince: joinedAt === null ? undefined : new Date(joinedAt),
    roles,
    manager,
    moderates: () => moderates({ manager, roles }, guildOf(interaction), tipping),
    administrator: memberPermissions?.has(PermissionFlagsBits.Administrator) ?? false,
    sees: (channel) => sees(interaction, channel),
    botWrites: (channel) => botWrites(interaction, channel),
  }
}

/**
 * Whether a member sees a channel. False for a private thread in which the interaction did not happen, because its
 * members are unknown.
 */
function sees({ guild, member, channelId }: Known, id: string): boolean {
  if (id === channelId) return true
  const found = guild?.channels.cache.get(id)
  if (found === undefined || found.type === ChannelType.PrivateThread) return false
  const channel = found.isThread() ? found.parent : found
  if (!(member instanceof GuildMember)) return false
  return channel?.permissionsFor(member).has(PermissionFlagsBits.ViewChannel) ?? false
}

/** Whether the bot may write in a channel. True for an unknown channel or server, where only an attempt can show it. */
function botWrites({ guild }: Known, id: string): boolean {
  const [channel, self] = [guild?.channels.cache.get(id), guild?.members.me]
  if (channel == null || self == null) return true
  return channel.permissionsFor(self).has([ViewChannel, SendMessages, EmbedLinks])
}

/** Returns the language of the answer: the member's choice, otherwise the language of the member's Discord client. */
export function localeOf({ user, locale }: Known, { preferences }: Pick<Tipping, 'preferences'>): string {
  return preferences.languageOf(user.id) ?? locale
}

/**
 * Whether a person is an operator: an administrator of the operators' own server, while the person uses that server.
 */
export function isOperator(
  { caller, guild }: Pick<Asking, 'caller' | 'guild'>,
  homeGuildId: string | undefined,
): boolean {
  return homeGuildId !== undefined && guild === homeGuildId && caller.administrator
}
