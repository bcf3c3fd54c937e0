import { permission } from './permission-bits.ts'
import { type ChannelRecord, channelKind } from './records.ts'
import type { DiscordWorld } from './world.ts'

export { botsPermissions, everyonesPermissions, permission } from './permission-bits.ts'

const all = (1n << 53n) - 1n
const needsConnect: readonly number[] = [channelKind.voice, channelKind.stage]

/** Returns a person's permissions in a server as a whole; 0 if they are not a member. */
export function guildPermissions(world: DiscordWorld, guildId: string, userId: string): bigint {
  const guild = world.guilds.get(guildId)
  const member = world.member(guildId, userId)
  if (guild === undefined || member === undefined) return 0n
  if (guild.ownerId === userId) return all
  let bits = BigInt(world.roles.get(guildId)?.permissions ?? '0')
  for (const roleId of member.roleIds) bits |= BigInt(world.roles.get(roleId)?.permissions ?? '0')
  return (bits & permission.administrator) !== 0n ? all : bits
}

/**
 * Returns a person's permissions in a channel: the server's permissions, changed by what the channel denies and allows
 * everyone, the person's roles, and the person
 * (https://docs.discord.com/developers/topics/permissions#permission-overwrites). A thread has its channel's
 * permissions. Only its participants and those with Manage Threads have any in a private thread.
 */
export function channelPermissions(world: DiscordWorld, channel: ChannelRecord, userId: string): bigint {
  if (channel.guildId === null) return channel.recipientIds.includes(userId) ? all & ~permission.manageMessages : 0n
  if (channel.thread !== undefined) return threadPermissions(world, channel, userId)
  const base = guildPermissions(world, channel.guildId, userId)
  if (base === 0n || base === all) return base
  return implied(channel, overwritten(world, channel, userId, base))
}

function threadPermissions(world: DiscordWorld, thread: ChannelRecord, userId: string): bigint {
  const parent = world.channels.get(thread.parentId ?? '')
  const bits = parent === undefined ? 0n : channelPermissions(world, parent, userId)
  const isOpen = thread.type !== channelKind.privateThread || thread.recipientIds.includes(userId)
  return isOpen || (bits & permission.manageThreads) !== 0n ? bits : 0n
}

function overwritten(world: DiscordWorld, channel: ChannelRecord, userId: string, base: bigint): bigint {
  const roleIds = world.member(channel.guildId ?? '', userId)?.roleIds ?? []
  let bits = base
  const everyone = channel.overwrites.find(({ id }) => id === channel.guildId)
  if (everyone !== undefined) bits = (bits & ~BigInt(everyone.deny)) | BigInt(everyone.allow)
  let deny = 0n
  let allow = 0n
  for (const overwrite of channel.overwrites) {
    if (overwrite.type !== 0 || !roleIds.includes(overwrite.id)) continue
    deny |= BigInt(overwrite.deny)
    allow |= BigInt(overwrite.allow)
  }
  bits = (bits & ~deny) | allow
  const own = channel.overwrites.find(({ type, id }) => type === 1 && id === userId)
  return own === undefined ? bits : (bits & ~BigInt(own.deny)) | BigInt(own.allow)
}

/**
 * Applies implied denials. Somebody who cannot see a channel has no permissions there. Somebody who cannot connect to a
 * voice or stage channel can only see it. https://docs.discord.com/developers/topics/permissions#implicit-permissions
 */
function implied(channel: ChannelRecord, bits: bigint): bigint {
  if ((bits & permission.viewChannel) === 0n) return 0n
  return needsConnect.includes(channel.type) && (bits & permission.connect) === 0n ? permission.viewChannel : bits
}

/** Whether a person has all of these permissions in a channel. */
export function may(world: DiscordWorld, channel: ChannelRecord, userId: string, bits: bigint): boolean {
  return (channelPermissions(world, channel, userId) & bits) === bits
}

/**
 * Returns the permission that is needed to write in a channel. For a thread, it is a different one.
 * https://docs.discord.com/developers/topics/threads#permissions
 */
export function sendingIn(channel: ChannelRecord): bigint {
  return channel.thread === undefined ? permission.sendMessages : permission.sendMessagesInThreads
}

const inAnswers = permission.attachFiles | permission.embedLinks | permission.mentionEveryone

/**
 * Returns the application's permissions that an interaction states for its channel. If the bot is not a member there,
 * they are only those for answers.
 * https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object-interaction-structure
 */
export function appPermissions(world: DiscordWorld, channel: ChannelRecord): bigint {
  const botId = world.applicationId
  const isMember = channel.guildId !== null && world.member(channel.guildId, botId) !== undefined
  if (isMember) return channelPermissions(world, channel, botId)
  const withBot = channel.type === channelKind.dm && channel.recipientIds.includes(botId)
  return withBot ? inAnswers | permission.useExternalEmojis : inAnswers
}

/**
 * Whether only the person sees the answers of an application that they have installed just for themselves. This is so
 * in a server if they lack "Use External Apps" or cannot write in the channel themselves.
 * https://docs.discord.com/developers/topics/permissions (USE_EXTERNAL_APPS),
 * https://docs.discord.com/developers/resources/application#user-context
 */
export function isForcedEphemeral(world: DiscordWorld, channel: ChannelRecord, userId: string): boolean {
  return channel.guildId !== null && !may(world, channel, userId, permission.useExternalApps | sendingIn(channel))
}
