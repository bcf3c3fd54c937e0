import type { Core } from '../core/core.ts'
import type { ChannelRecord } from '../world/records.ts'

/** The conversation of two people, opened now if it never was. */
export function openDm(core: Core, oneId: string, otherId: string): ChannelRecord {
  const { world } = core
  const known = world.dm(oneId, otherId)
  if (known !== undefined) return known
  const channel: ChannelRecord = {
    id: world.nextId(),
    type: 1,
    guildId: null,
    name: '',
    topic: '',
    position: 0,
    overwrites: [],
    recipientIds: [oneId, otherId],
  }
  world.saveChannel(channel)
  core.tellObservers(() => ({ type: 'world', visibleTo: null }))
  return channel
}

/** Whether one may write to the other: they share a server, and the other takes direct messages. */
export function maySendTo(core: Core, senderId: string, recipientId: string): boolean {
  const { world } = core
  const recipient = world.users.get(recipientId)
  if (recipient === undefined || !recipient.dmsOpen) return false
  return world.guildsOf(senderId).some((guild) => world.member(guild.id, recipientId) !== undefined)
}
