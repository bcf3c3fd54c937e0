import type { Core } from '../core/core.ts'
import { intent } from '../gateway/events.ts'
import { textsIn } from '../rules/components.ts'
import type { NewFile } from '../rules/files.ts'
import type { JsonObject } from '../rules/form.ts'
import { type AllowedMentions, type Mentions, mentionsIn } from '../rules/mentions.ts'
import { flag, type MessageDraft } from '../rules/messages.ts'
import { attachmentUrl, bareMemberPayload, messagePayload } from '../world/payloads.ts'
import { may, permission } from '../world/permissions.ts'
import type { AttachmentRecord, ChannelRecord, MessageOrigin, MessageRecord } from '../world/records.ts'
import { pictureSize } from './picture-size.ts'

/** A message to be written. Undefined fields of its draft are empty. */
export interface Post {
  readonly channel: ChannelRecord
  readonly authorId: string
  readonly type: MessageRecord['type']
  readonly draft: MessageDraft
  readonly flags: number
  readonly defaultMentions: AllowedMentions
  readonly origin: MessageOrigin | null
  readonly replyTo: string | null
  readonly visibleTo: string | null
}

/** An empty draft, for the message that is shown while the bot is "thinking". */
export const emptyDraft: MessageDraft = {
  content: undefined,
  embeds: undefined,
  components: undefined,
  files: { added: [], remainingIds: undefined },
  allowedMentions: undefined,
  flags: 0,
  replyTo: undefined,
  mustExist: true,
  nonce: undefined,
  enforceNonce: false,
}

/** Writes a message, and informs the bot and the observers. */
export function postMessage(core: Core, post: Post): MessageRecord {
  const { channel, draft } = post
  const attachments = draft.files.added.map((file) => keepFile(core, file))
  const content = draft.content ?? ''
  const message: MessageRecord = {
    id: core.world.nextId(),
    channelId: channel.id,
    guildId: channel.guildId,
    authorId: post.authorId,
    type: post.type,
    content,
    embeds: linkFiles(core, channel.id, draft.embeds ?? [], attachments),
    components: linkFiles(core, channel.id, draft.components ?? [], attachments),
    attachments,
    flags: post.flags,
    editedAt: null,
    mentions: notified(
      core,
      channel,
      { authorId: post.authorId, content, components: draft.components ?? [] },
      draft.allowedMentions ?? post.defaultMentions,
    ),
    reactions: [],
    origin: post.origin,
    replyTo: post.replyTo,
    visibleTo: post.visibleTo,
    nonce: draft.nonce ?? null,
    dismissed: false,
  }
  core.world.saveMessage(message)
  tell(core, message, 'created')
  return message
}

/** Applies an edit to a message. Omitted fields stay as they are, and a "thinking" message becomes the answer. */
export function editMessage(
  core: Core,
  message: MessageRecord,
  draft: MessageDraft,
  defaultMentions: AllowedMentions,
): void {
  const channel = core.world.channels.get(message.channelId)
  if (channel === undefined) return
  const { remainingIds } = draft.files
  const remaining = message.attachments.filter(({ id }) => remainingIds === undefined || remainingIds.includes(id))
  for (const { id } of message.attachments)
    if (!remaining.some((each) => each.id === id)) core.world.store.removeFile(id)
  const attachments = [...remaining, ...draft.files.added.map((file) => keepFile(core, file))]
  const wasLoading = (message.flags & flag.loading) !== 0
  Object.assign(message, {
    content: draft.content ?? message.content,
    embeds: linkFiles(core, channel.id, draft.embeds ?? message.embeds, attachments),
    components: linkFiles(core, channel.id, draft.components ?? message.components, attachments),
    attachments,
    flags: (message.flags & ~flag.loading) | (draft.flags & (flag.componentsV2 | flag.suppressEmbeds)),
    editedAt: wasLoading ? null : core.clock.now(),
  } satisfies Partial<MessageRecord>)
  if (draft.content !== undefined || draft.components !== undefined || draft.allowedMentions !== undefined)
    message.mentions = notified(core, channel, message, draft.allowedMentions ?? defaultMentions)
  core.world.saveMessage(message)
  tell(core, message, 'updated')
}

/** Removes a message, and informs the bot and the observers. */
export function deleteMessage(core: Core, message: MessageRecord): void {
  const { id, channelId, guildId, visibleTo } = message
  core.world.removeMessage(message)
  core.tellObservers(() => ({ type: 'message-deleted', channelId, visibleTo, messageId: id }))
  if (visibleTo === null)
    core.tellBot({
      name: 'MESSAGE_DELETE',
      guildId,
      channelId,
      intent: guildId === null ? intent.directMessages : intent.guildMessages,
      data: () => ({ id, channel_id: channelId, ...(guildId !== null && { guild_id: guildId }) }),
    })
}

/** Informs the bot and the observers of a message. The gateway does not send ephemeral messages to the bot. */
export function tell(core: Core, message: MessageRecord, what: 'created' | 'updated'): void {
  core.tellObservers(() => ({
    type: `message-${what}`,
    channelId: message.channelId,
    visibleTo: message.visibleTo,
    message: core.seen.message(message),
  }))
  if (message.visibleTo !== null) return
  const { world } = core
  const ownOrToBot =
    message.authorId === world.applicationId ||
    message.guildId === null ||
    message.mentions.userIds.includes(world.applicationId)
  const member = message.guildId === null ? undefined : world.member(message.guildId, message.authorId)
  core.tellBot({
    name: what === 'created' ? 'MESSAGE_CREATE' : 'MESSAGE_UPDATE',
    guildId: message.guildId,
    channelId: message.channelId,
    intent: message.guildId === null ? intent.directMessages : intent.guildMessages,
    data: (withContent) => ({
      ...messagePayload(world, core.address.cdnUrl, message, withContent || ownOrToBot),
      ...(message.guildId !== null && { guild_id: message.guildId }),
      ...(member !== undefined && { member: bareMemberPayload(member) }),
    }),
  })
}

function keepFile(core: Core, file: NewFile): AttachmentRecord {
  const id = core.world.nextId()
  core.world.store.putFile(id, file.bytes)
  const size = pictureSize(file.bytes)
  return {
    id,
    filename: file.filename,
    contentType: file.contentType,
    size: file.bytes.length,
    description: file.description ?? null,
    width: size?.width ?? null,
    height: size?.height ?? null,
  }
}

/** Replaces every `attachment://name` with the file's address. */
function linkFiles(
  core: Core,
  channelId: string,
  parts: readonly JsonObject[],
  attachments: readonly AttachmentRecord[],
): readonly JsonObject[] {
  const text = JSON.stringify(parts)
  if (!text.includes('"attachment://')) return parts
  const linked = text.replaceAll(/"attachment:\/\/([^"]+)"/g, (whole, name: string) => {
    const file = attachments.findLast(({ filename }) => filename === name)
    return file === undefined ? whole : JSON.stringify(attachmentUrl(core.address.cdnUrl, channelId, file))
  })
  return JSON.parse(linked) as JsonObject[]
}

/**
 * Returns whom a message notifies with its content and text displays: the people and roles that exist. Roles and
 * everyone are notified only if the author may mention them.
 * https://docs.discord.com/developers/components/reference#text-display
 */
function notified(
  core: Core,
  channel: ChannelRecord,
  { authorId, content, components }: Pick<MessageRecord, 'authorId' | 'content' | 'components'>,
  allowed: AllowedMentions,
): Mentions {
  const found = mentionsIn([content, ...textsIn(components)].join('\n'), allowed)
  if (channel.guildId === null) return { ...found, roleIds: [], everyone: false }
  const all = may(core.world, channel, authorId, permission.mentionEveryone)
  return {
    userIds: found.userIds.filter((id) => core.world.users.has(id)),
    roleIds: found.roleIds.filter((id) => all || core.world.roles.get(id)?.mentionable === true),
    everyone: found.everyone && all,
  }
}
