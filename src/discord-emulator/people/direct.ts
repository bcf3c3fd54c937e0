import type { Core } from '../core/core.ts'
import { cannotDm, noMutualGuilds } from '../rules/refusal.ts'
import { type ChannelRecord, channelKind } from '../world/records.ts'

/** Returns the direct conversation of two people, and opens it if necessary. */
export function openDm(core: Core, oneId: string, otherId: string): ChannelRecord {
  return core.world.dm(oneId, otherId) ?? open(core, channelKind.dm, [oneId, otherId], '')
}

/**
 * Opens a group conversation. Bots cannot join one.
 * https://docs.discord.com/developers/resources/channel#channel-object-channel-types
 */
export function openGroup(core: Core, personIds: readonly string[], name: string): ChannelRecord {
  return open(core, channelKind.groupDm, personIds, name)
}

function open(core: Core, type: ChannelRecord['type'], recipientIds: readonly string[], name: string): ChannelRecord {
  const { world } = core
  const channel: ChannelRecord = {
    ...{ id: world.nextId(), type, guildId: null, name, topic: '', position: 0 },
    ...{ overwrites: [], recipientIds },
  }
  world.saveChannel(channel)
  core.tellObservers(() => ({ type: 'world', visibleTo: null }))
  return channel
}

/**
 * Refuses the bot's message to a person who does not accept direct messages (50007), or who neither shares a server
 * with the bot nor has installed the bot (50278).
 * https://docs.discord.com/developers/topics/opcodes-and-status-codes#json
 */
export function mustReach(core: Core, channel: ChannelRecord): void {
  const { world } = core
  const recipientId = channel.recipientIds.find((id) => id !== world.applicationId) ?? ''
  if (world.users.get(recipientId)?.dmsOpen !== true) throw cannotDm()
  const knows = sharesServer(core, world.applicationId, recipientId) || world.userInstalls.has(recipientId)
  if (!knows) throw noMutualGuilds()
}

/**
 * Whether one person can write to another directly: either they share a server and the recipient accepts direct
 * messages, or the recipient is the bot and the sender has installed it.
 */
export function maySendTo(core: Core, senderId: string, recipientId: string): boolean {
  const recipient = core.world.users.get(recipientId)
  if (recipient?.bot === true && core.world.userInstalls.has(senderId)) return true
  return recipient?.dmsOpen === true && sharesServer(core, senderId, recipientId)
}

function sharesServer({ world }: Core, oneId: string, otherId: string): boolean {
  return world.guildsOf(oneId).some((guild) => world.member(guild.id, otherId) !== undefined)
}
