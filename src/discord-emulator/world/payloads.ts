import type { JsonObject } from '../rules/form.ts'
import { madeAt } from '../rules/snowflake.ts'
import { channelPermissions, guildPermissions } from './permissions.ts'
import type {
  AttachmentRecord,
  ChannelRecord,
  CommandRecord,
  GuildRecord,
  MemberRecord,
  MessageOrigin,
  MessageRecord,
  RoleRecord,
  ThreadState,
  UserRecord,
  VoiceRecord,
} from './records.ts'
import type { DiscordWorld } from './world.ts'

/**
 * Functions that return records in the shapes that Discord sends. They leave out the fields that Discord leaves out,
 * because discord.js would take an unexpected `null` for a value.
 */

const iso = (ms: number) => new Date(ms).toISOString()

/** Returns the hash in the address of a person's avatar: 32 hexadecimal digits, which change with the picture. */
export function avatarHash({ id, avatarColor }: UserRecord): string {
  return `${id}${avatarColor.slice(1)}`.padStart(32, '0')
}

export function attachmentUrl(cdnUrl: string, channelId: string, attachment: AttachmentRecord): string {
  return `${cdnUrl}/attachments/${channelId}/${attachment.id}/${attachment.filename}`
}

export function userPayload(user: UserRecord): JsonObject {
  return {
    id: user.id,
    username: user.username,
    discriminator: user.bot ? '0001' : '0',
    global_name: user.bot ? null : user.displayName,
    avatar: avatarHash(user),
    bot: user.bot,
    flags: 0,
    public_flags: 0,
    primary_guild: null,
    accent_color: Number.parseInt(user.avatarColor.slice(1), 16),
  }
}

/** Returns a member without `user`, as Discord sends it in messages and among resolved options. */
export function bareMemberPayload(member: MemberRecord): JsonObject {
  return {
    avatar: null,
    banner: null,
    communication_disabled_until: null,
    flags: 0,
    joined_at: iso(member.joinedAt),
    nick: member.nick,
    pending: false,
    premium_since: null,
    roles: member.roleIds,
  }
}

export function memberPayload(world: DiscordWorld, member: MemberRecord): JsonObject {
  const user = world.users.get(member.userId)
  return { ...bareMemberPayload(member), deaf: false, mute: false, ...(user && { user: userPayload(user) }) }
}

export function rolePayload(role: RoleRecord): JsonObject {
  return {
    id: role.id,
    name: role.name,
    color: role.color,
    colors: { primary_color: role.color, secondary_color: null, tertiary_color: null },
    hoist: role.hoist,
    icon: null,
    unicode_emoji: null,
    position: role.position,
    permissions: role.permissions,
    managed: role.botId !== null,
    mentionable: role.mentionable,
    flags: 0,
    ...(role.botId !== null && { tags: { bot_id: role.botId } }),
  }
}

export function channelPayload(world: DiscordWorld, channel: ChannelRecord, viewerId: string): JsonObject {
  const shared = { id: channel.id, type: channel.type, flags: 0, last_message_id: world.log(channel.id).lastId }
  if (channel.guildId === null) {
    const others = channel.recipientIds.filter((id) => id !== viewerId)
    return { ...shared, recipients: others.flatMap((id) => world.users.get(id) ?? []).map(userPayload) }
  }
  if (channel.thread !== undefined) return { ...shared, ...threadPayload(channel, channel.thread) }
  return {
    ...shared,
    guild_id: channel.guildId,
    name: channel.name,
    topic: channel.topic === '' ? null : channel.topic,
    position: channel.position,
    permission_overwrites: channel.overwrites,
    nsfw: false,
    rate_limit_per_user: 0,
    parent_id: null,
  }
}

function threadPayload(channel: ChannelRecord, { archived, locked, changedAt }: ThreadState): JsonObject {
  const metadata = { archived, locked, auto_archive_duration: 1440, archive_timestamp: iso(changedAt) }
  return {
    guild_id: channel.guildId,
    name: channel.name,
    parent_id: channel.parentId,
    owner_id: channel.recipientIds[0],
    rate_limit_per_user: 0,
    message_count: 0,
    member_count: Math.max(1, channel.recipientIds.length),
    total_message_sent: 0,
    thread_metadata: { ...metadata, create_timestamp: iso(madeAt(channel.id)) },
  }
}

/**
 * Returns a server's language and features. Only a Community server has a language of its own.
 * https://docs.discord.com/developers/resources/guild
 */
export function guildFacts(guild: GuildRecord): { readonly locale: string; readonly features: readonly string[] } {
  const community = guild.community === true
  return { locale: community ? guild.locale : 'en-US', features: community ? ['COMMUNITY'] : [] }
}

/** Returns a server as the REST API sends it. */
export function guildPayload(world: DiscordWorld, guild: GuildRecord): JsonObject {
  return {
    id: guild.id,
    name: guild.name,
    icon: null,
    home_header: null,
    splash: null,
    discovery_splash: null,
    owner_id: guild.ownerId,
    afk_channel_id: null,
    afk_timeout: 300,
    verification_level: 1,
    default_message_notifications: 1,
    explicit_content_filter: 0,
    roles: world.rolesOf(guild.id).map(rolePayload),
    emojis: [],
    stickers: [],
    features: guildFacts(guild).features,
    mfa_level: 0,
    application_id: null,
    system_channel_id: null,
    system_channel_flags: 0,
    rules_channel_id: null,
    max_members: 500_000,
    max_presences: null,
    max_stage_video_channel_users: 50,
    max_video_channel_users: 25,
    region: 'deprecated',
    widget_enabled: false,
    widget_channel_id: null,
    incidents_data: null,
    vanity_url_code: null,
    description: null,
    banner: null,
    premium_tier: 0,
    premium_subscription_count: 0,
    preferred_locale: guildFacts(guild).locale,
    public_updates_channel_id: null,
    nsfw_level: 0,
    premium_progress_bar_enabled: false,
    safety_alerts_channel_id: null,
    nsfw: false,
  }
}

/**
 * Returns a voice state. `channelId` is null if the person has left.
 * https://docs.discord.com/developers/resources/voice#voice-state-object
 */
export function voicePayload(world: DiscordWorld, voice: VoiceRecord, channelId: string | null): JsonObject {
  const member = world.member(voice.guildId, voice.userId)
  return {
    channel_id: channelId,
    user_id: voice.userId,
    ...(member !== undefined && { member: memberPayload(world, member) }),
    session_id: voice.userId,
    ...{ deaf: voice.deaf, mute: voice.deaf, self_deaf: voice.selfDeaf, self_mute: voice.selfDeaf, self_video: false },
    ...{ suppress: false, request_to_speak_timestamp: null },
  }
}

/**
 * Returns a server as the gateway announces it, with what the bot can see there. `hearsVoice` is true if the session
 * has the intent for voice states.
 */
export function guildCreatePayload(world: DiscordWorld, guild: GuildRecord, hearsVoice = false): JsonObject {
  const botId = world.applicationId
  const own = [world.member(guild.id, botId)].filter((member) => member !== undefined)
  const visible = world.channelsOf(guild.id).filter((channel) => channelPermissions(world, channel, botId) !== 0n)
  // Of threads, only active ones are sent. https://docs.discord.com/developers/topics/threads#gateway-events
  const threads = visible.filter(({ thread }) => thread !== undefined && !thread.archived)
  return {
    ...guildPayload(world, guild),
    joined_at: iso(own[0]?.joinedAt ?? 0),
    large: false,
    unavailable: false,
    member_count: world.memberCount(guild.id),
    voice_states: [...world.voice.values()]
      .filter(
        ({ guildId, channelId }) => hearsVoice && guildId === guild.id && visible.some(({ id }) => id === channelId),
      )
      .map((voice) => voicePayload(world, voice, voice.channelId)),
    members: own.map((member) => memberPayload(world, member)),
    channels: visible.filter(({ thread }) => thread === undefined).map((each) => channelPayload(world, each, botId)),
    threads: threads.map((each) => channelPayload(world, each, botId)),
    presences: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
  }
}

export function commandPayload(world: DiscordWorld, command: CommandRecord): JsonObject {
  return {
    id: command.id,
    application_id: world.applicationId,
    version: command.version,
    type: command.type,
    ...(command.guildId !== null && { guild_id: command.guildId }),
    name: command.name,
    name_localizations: command.nameLocalisations,
    description: command.description,
    description_localizations: command.descriptionLocalisations,
    options: command.options,
    default_member_permissions: command.defaultMemberPermissions,
    dm_permission: command.contexts === null || command.contexts.includes(1),
    contexts: command.contexts,
    integration_types: command.integrationTypes,
    nsfw: command.nsfw,
  }
}

export function attachmentPayload(cdnUrl: string, channelId: string, attachment: AttachmentRecord): JsonObject {
  const url = attachmentUrl(cdnUrl, channelId, attachment)
  return {
    id: attachment.id,
    filename: attachment.filename,
    size: attachment.size,
    url,
    proxy_url: url,
    content_type: attachment.contentType,
    ...(attachment.description !== null && { description: attachment.description }),
    ...(attachment.width !== null && { width: attachment.width, height: attachment.height }),
  }
}

export function emojiPayload(emoji: string): JsonObject {
  const [name, id] = emoji.split(':')
  return { id: id ?? null, name }
}

/** Returns the attachments that are shown separately, that is, those that are not shown inside an embed. */
export function looseAttachments(cdnUrl: string, message: MessageRecord): readonly AttachmentRecord[] {
  if (message.attachments.length === 0 || message.embeds.length === 0) return message.attachments
  const embeds = JSON.stringify(message.embeds)
  return message.attachments.filter((each) => !embeds.includes(attachmentUrl(cdnUrl, message.channelId, each)))
}

/**
 * Returns a message. If `content` is false, because the bot may not read people's messages, everything that people
 * wrote is empty.
 */
export function messagePayload(
  world: DiscordWorld,
  cdnUrl: string,
  message: MessageRecord,
  content = true,
): JsonObject {
  const author = world.users.get(message.authorId)
  const loose = content ? looseAttachments(cdnUrl, message) : []
  const replied = message.replyTo === null ? undefined : world.message(message.channelId, message.replyTo)
  return {
    id: message.id,
    channel_id: message.channelId,
    type: message.type,
    author: author && userPayload(author),
    content: content ? message.content : '',
    timestamp: iso(madeAt(message.id)),
    edited_timestamp: message.editedAt === null ? null : iso(message.editedAt),
    tts: false,
    mention_everyone: message.mentions.everyone,
    mentions: message.mentions.userIds.flatMap((id) => world.users.get(id) ?? []).map(userPayload),
    mention_roles: message.mentions.roleIds,
    attachments: loose.map((each) => attachmentPayload(cdnUrl, message.channelId, each)),
    embeds: content ? message.embeds : [],
    components: content ? message.components : [],
    pinned: false,
    flags: message.flags,
    ...(message.nonce !== null && { nonce: message.nonce }),
    ...(message.reactions.length > 0 && { reactions: message.reactions.map((each) => reaction(world, each)) }),
    ...originPayload(world, message),
    ...(message.replyTo !== null && {
      message_reference: {
        type: 0,
        message_id: message.replyTo,
        channel_id: message.channelId,
        ...(message.guildId !== null && { guild_id: message.guildId }),
      },
      referenced_message:
        replied === undefined ? null : messagePayload(world, cdnUrl, { ...replied, replyTo: null }, content),
    }),
  }
}

function reaction(world: DiscordWorld, { emoji, userIds }: MessageRecord['reactions'][number]): JsonObject {
  return {
    emoji: emojiPayload(emoji),
    count: userIds.length,
    count_details: { burst: 0, normal: userIds.length },
    burst_colors: [],
    me: userIds.includes(world.applicationId),
    me_burst: false,
  }
}

function originPayload(world: DiscordWorld, message: MessageRecord): JsonObject {
  const { origin } = message
  if (origin === null) return {}
  const user = world.users.get(origin.userId)
  return {
    application_id: world.applicationId,
    webhook_id: world.applicationId,
    interaction_metadata: metadataOf(world, message, origin),
    ...(origin.type === 2 && {
      interaction: { id: origin.id, type: 2, name: origin.name, user: user && userPayload(user) },
    }),
  }
}

/** https://docs.discord.com/developers/resources/message#message-interaction-metadata-object */
function metadataOf(world: DiscordWorld, message: MessageRecord, origin: MessageOrigin): JsonObject {
  const user = world.users.get(origin.userId)
  const target = origin.targetUserId === null ? undefined : world.users.get(origin.targetUserId)
  const installers = origin.owners ?? (message.guildId === null ? { '0': '0' } : { '0': message.guildId })
  return {
    id: origin.id,
    type: origin.type,
    user: user && userPayload(user),
    authorizing_integration_owners: installers,
    ...(origin.type === 2 && { name: origin.name, command_type: origin.commandType }),
    ...(target && { target_user: userPayload(target) }),
    ...(origin.targetMessageId !== null && { target_message_id: origin.targetMessageId }),
    ...(origin.originalMessageId !== null && { original_response_message_id: origin.originalMessageId }),
    ...(origin.interactedMessageId !== null && { interacted_message_id: origin.interactedMessageId }),
    ...(origin.triggering && {
      triggering_interaction_metadata: metadataOf(world, message, origin.triggering),
    }),
  }
}

/** Returns the member who acts, with their permissions in the channel of the action. */
export function actingMemberPayload(world: DiscordWorld, member: MemberRecord, channel: ChannelRecord): JsonObject {
  return { ...memberPayload(world, member), permissions: channelPermissions(world, channel, member.userId).toString() }
}

/**
 * Returns a member as Discord sends it among resolved options: without `user`, `deaf` and `mute`, but with the member's
 * permissions in the server.
 */
export function resolvedMemberPayload(world: DiscordWorld, member: MemberRecord): JsonObject {
  const permissions = guildPermissions(world, member.guildId, member.userId).toString()
  return { ...bareMemberPayload(member), permissions }
}
