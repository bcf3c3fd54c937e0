import { permission } from './permission-bits.ts'
import type { ChannelRecord } from './records.ts'
import type { DiscordWorld } from './world.ts'

export { botsPermissions, everyonesPermissions, permission } from './permission-bits.ts'

const all = (1n << 53n) - 1n

/** What a person may do in a server as a whole; 0 for somebody who is no member. */
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
 * What a person may do in a channel: the server's permissions, then what the channel denies and allows for everyone,
 * for roles, for the member (https://docs.discord.com/developers/topics/permissions#permission-overwrites).
 */
export function channelPermissions(world: DiscordWorld, channel: ChannelRecord, userId: string): bigint {
  if (channel.guildId === null) return channel.recipientIds.includes(userId) ? all & ~permission.manageMessages : 0n
  const base = guildPermissions(world, channel.guildId, userId)
  if (base === 0n || base === all) return base
  const roleIds = world.member(channel.guildId, userId)?.roleIds ?? []
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
  if (own !== undefined) bits = (bits & ~BigInt(own.deny)) | BigInt(own.allow)
  return (bits & permission.viewChannel) === 0n ? 0n : bits
}

/** Whether a person has all of the bits in a channel. */
export function may(world: DiscordWorld, channel: ChannelRecord, userId: string, bits: bigint): boolean {
  return (channelPermissions(world, channel, userId) & bits) === bits
}
