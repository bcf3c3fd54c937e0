import type { JsonObject } from '../rules/form.ts'
import type { Mentions } from '../rules/mentions.ts'

/** The emulator's stored state, as plain JSON that can be written unchanged. Times are milliseconds since 1970. */

/** A person in a voice channel. The record lasts as long as the emulator runs. */
export interface VoiceRecord {
  readonly guildId: string
  readonly userId: string
  readonly channelId: string
  /** Whether a moderator has deafened the person. */
  readonly deaf: boolean
  /** Whether the person has deafened themselves. */
  readonly selfDeaf: boolean
}

export interface UserRecord {
  readonly id: string
  username: string
  /** The display name that a person chose for all servers. */
  displayName: string
  bot: boolean
  /** `#rrggbb` */
  avatarColor: string
  locale: string
  /** Whether members of shared servers may write to the person. */
  dmsOpen: boolean
}

export interface GuildRecord {
  readonly id: string
  name: string
  ownerId: string
  locale: string
  /** Whether the application was added to this server. If not, its bot can still be a member. */
  hasApplication: boolean
  /** Whether the server is a Community server. Only such a server may choose a language. */
  community?: boolean
  /** Words that AutoMod blocks. AutoMod does not judge bots that are members. */
  blockedWords?: readonly string[]
}

/** A role. The role with its server's id is @everyone. */
export interface RoleRecord {
  readonly id: string
  readonly guildId: string
  name: string
  /** A bit field as a decimal number. */
  permissions: string
  color: number
  mentionable: boolean
  hoist: boolean
  position: number
  /** Set on a bot's own role. */
  botId: string | null
}

export interface MemberRecord {
  readonly guildId: string
  readonly userId: string
  nick: string | null
  roleIds: string[]
  joinedAt: number
}

export interface OverwriteRecord {
  readonly id: string
  /** 0: a role, 1: a member */
  readonly type: 0 | 1
  readonly allow: string
  readonly deny: string
}

/** https://docs.discord.com/developers/resources/channel#channel-object-channel-types */
export const channelKind = {
  text: 0,
  dm: 1,
  voice: 2,
  groupDm: 3,
  announcement: 5,
  announcementThread: 10,
  publicThread: 11,
  privateThread: 12,
  stage: 13,
  forum: 15,
} as const

export type ChannelKind = (typeof channelKind)[keyof typeof channelKind]

/** A thread's state. https://docs.discord.com/developers/topics/threads#active-archived-threads */
export interface ThreadState {
  archived: boolean
  locked: boolean
  /** When one of these fields last changed. */
  changedAt: number
}

export interface ChannelRecord {
  readonly id: string
  readonly type: ChannelKind
  readonly guildId: string | null
  name: string
  topic: string
  position: number
  overwrites: OverwriteRecord[]
  /** The people of a direct conversation or of a private thread. */
  readonly recipientIds: readonly string[]
  /** A thread's channel. */
  readonly parentId?: string | null
  /** Only for a thread. */
  thread?: ThreadState
}

export interface AttachmentRecord {
  readonly id: string
  readonly filename: string
  readonly contentType: string
  readonly size: number
  readonly description: string | null
  readonly width: number | null
  readonly height: number | null
}

export interface ReactionRecord {
  /** A unicode emoji, or `name:id`. */
  readonly emoji: string
  userIds: string[]
}

/** The interaction that a message answers. */
export interface MessageOrigin {
  readonly id: string
  /** 2: command, 3: component, 5: form */
  readonly type: number
  readonly userId: string
  /** `tip`, `voucher create`, `⚡ Tip`; empty for components. */
  readonly name: string
  readonly commandType: number | null
  readonly targetUserId: string | null
  readonly targetMessageId: string | null
  /** The first answer, on a followup. */
  readonly originalMessageId: string | null
  /** The message whose component was used. */
  readonly interactedMessageId: string | null
  /** The installations that allowed it, by kind. */
  readonly owners?: Readonly<Record<string, string>>
  /** What opened the form whose submission it was. */
  readonly triggering?: MessageOrigin
}

export interface MessageRecord {
  readonly id: string
  readonly channelId: string
  readonly guildId: string | null
  readonly authorId: string
  /** 0: plain, 19: reply, 20: answer to a slash command, 23: to a menu command */
  readonly type: 0 | 19 | 20 | 23
  content: string
  embeds: readonly JsonObject[]
  components: readonly JsonObject[]
  attachments: readonly AttachmentRecord[]
  flags: number
  editedAt: number | null
  mentions: Mentions
  reactions: ReactionRecord[]
  readonly origin: MessageOrigin | null
  replyTo: string | null
  /** Set on ephemeral messages: the only person who sees the message. */
  readonly visibleTo: string | null
  readonly nonce: string | null
  /** Whether it is an ephemeral message that its reader dismissed; the bot may still edit it. */
  dismissed: boolean
}

export interface CommandRecord {
  readonly id: string
  readonly type: number
  /** Null for a command that is registered everywhere. */
  readonly guildId: string | null
  version: string
  name: string
  nameLocalisations: Readonly<Record<string, string>> | null
  description: string
  descriptionLocalisations: Readonly<Record<string, string>> | null
  options: readonly JsonObject[]
  defaultMemberPermissions: string | null
  /** 0: servers, 1: conversations with the bot, 2: other direct conversations; null: Discord's default. */
  contexts: readonly number[] | null
  integrationTypes: readonly number[]
  nsfw: boolean
}

/** State of an interaction: unanswered, deferred, answered, or given up by Discord. */
export type InteractionState = 'waiting' | 'deferred' | 'answered' | 'failed'

export interface InteractionRecord {
  readonly id: string
  readonly token: string
  /** 2: command, 3: component, 4: autocomplete, 5: form */
  readonly type: 2 | 3 | 4 | 5
  readonly userId: string
  readonly guildId: string | null
  readonly channelId: string
  readonly sentAt: number
  /** The installations that allow the interaction, by kind: 0 the server's, 1 a person's own. */
  readonly owners?: Readonly<Record<string, string>>
  /** Whether only a person's own installation allows the interaction, because the bot is not a member here. */
  readonly guest?: boolean
  /** Whether only the person sees the answers, regardless of the bot's flags. */
  readonly forcedEphemeral?: boolean
  /** How many messages followed the first answer. */
  followUps?: number
  /** The command's name with its subcommands, or the custom id. */
  readonly name: string
  readonly commandType: number | null
  readonly targetUserId: string | null
  readonly targetMessageId: string | null
  /** The message with the component, also for a form that a component opened. */
  readonly sourceMessageId: string | null
  /** Of a form: the interaction that opened it. */
  readonly openedBy?: string
  state: InteractionState
  acknowledgedAfterMs: number | null
  /** The target of `@original`: the first answer, or the message with the component. */
  originalMessageId: string | null
  /** Every message that answered, in order. */
  messageIds: string[]
  modal: JsonObject | null
  choices: readonly JsonObject[] | null
}
