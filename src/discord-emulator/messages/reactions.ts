import type { Core } from '../core/core.ts'
import { intent } from '../gateway/events.ts'
import { unknownEmoji } from '../rules/refusal.ts'
import { emojiPayload, memberPayload } from '../world/payloads.ts'
import type { MessageRecord } from '../world/records.ts'

/**
 * Checks one emoji: a character as people type it, or a server's own emoji as `name:id`. Throws 10014 for anything
 * else.
 */
export function parseEmoji(text: string): string {
  if (/^\w{2,32}:\d{15,20}$/.test(text)) return text
  if (text.length <= 32 && /^(\p{Extended_Pictographic}|\p{Regional_Indicator}{2}|[0-9#*]\uFE0F?\u20E3)/u.test(text))
    return text
  throw unknownEmoji()
}

/** Adds a reaction. Changes nothing if the person has already reacted with this emoji. */
export function addReaction(core: Core, message: MessageRecord, emoji: string, userId: string): void {
  let reaction = message.reactions.find((each) => each.emoji === emoji)
  if (reaction === undefined) {
    reaction = { emoji, userIds: [] }
    message.reactions.push(reaction)
  }
  if (reaction.userIds.includes(userId)) return
  reaction.userIds.push(userId)
  tell(core, message, emoji, userId, 'MESSAGE_REACTION_ADD')
}

/** Removes a reaction. Changes nothing if there is no such reaction. */
export function removeReaction(core: Core, message: MessageRecord, emoji: string, userId: string): void {
  const reaction = message.reactions.find((each) => each.emoji === emoji)
  if (reaction === undefined || !reaction.userIds.includes(userId)) return
  reaction.userIds = reaction.userIds.filter((id) => id !== userId)
  message.reactions = message.reactions.filter(({ userIds }) => userIds.length > 0)
  tell(core, message, emoji, userId, 'MESSAGE_REACTION_REMOVE')
}

function tell(core: Core, message: MessageRecord, emoji: string, userId: string, name: string): void {
  const { world } = core
  const { guildId } = message
  world.saveMessage(message)
  core.tellObservers(() => ({
    type: 'message-updated',
    channelId: message.channelId,
    visibleTo: message.visibleTo,
    message: core.seen.message(message),
  }))
  const member = guildId === null ? undefined : world.member(guildId, userId)
  core.tellBot({
    name,
    guildId,
    channelId: message.channelId,
    intent: guildId === null ? intent.directMessageReactions : intent.guildMessageReactions,
    data: () => ({
      user_id: userId,
      channel_id: message.channelId,
      message_id: message.id,
      ...(guildId !== null && { guild_id: guildId }),
      ...(name === 'MESSAGE_REACTION_ADD' && {
        message_author_id: message.authorId,
        ...(member !== undefined && { member: memberPayload(world, member) }),
      }),
      emoji: emojiPayload(emoji),
      burst: false,
      type: 0,
    }),
  })
}
