import type { Core } from '../core/core.ts'
import { cannotDm, noMutualGuilds } from '../rules/refusal.ts'
import { type ChannelRecord, channelKind } from '../world/records.ts'

/** The conversation of two people, opened now if it never was. */
export function openDm(core: Core, oneId: string, otherId: string): ChannelRecord {
  return core.world.dm(oneId, otherId) ?? open(core, channelKind.dm, [oneId, otherId], '')
}

/** A conversation of several people; no bot can be in one. https://docs.discord.com/developers/resources/channel#channel-object-channel-types */
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
 * Refuses what the bot says to somebody who takes no direct messages (50007), or with whom it shares no server and who has not
 * installed it (50278). https://docs.discord.com/developers/topics/opcodes-and-status-codes#json
 */
export function mustReach(core: Core, channel: ChannelRecord): void {
  const { world } = core
  const recipientId = channel.recipientIds.find((id) => id !== world.applicationId) ?? ''
  if (world.users.get(recipientId)?.dmsOpen !== true) throw cannotDm()
  const knows = sharesServer(core, world.applicationId, recipientId) || world.userInstalls.has(recipientId)
  if (!knows) throw noMutualGuilds()
}

/**
 * Whether one person may write to the other: they share a server, or have installed it where it is the bot, and the other takes direct
 * messages.
 */
export function maySendTo(core: Core, senderId: string, recipientId: string): boolean {
  const recipient = core.world.users.get(recipientId)
  if (recipient?.bot === true && core.world.userInstalls.has(senderId)) return true
  return recipient?.dmsOpen === true && sharesServer(core, senderId, recipientId)
}

function sharesServer({ world }: Core, oneId: string, otherId: string): boolean {
  return world.guildsOf(oneId).some((guild) => world.member(guild.id, otherId) !== undefined)
}
