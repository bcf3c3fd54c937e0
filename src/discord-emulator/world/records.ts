import type { JsonObject } from '../rules/form.ts'
import type { Mentions } from '../rules/mentions.ts'

/** The records of the emulator's state, as plain JSON that can be stored unchanged. Times are in Unix milliseconds. */

/** A person in a voice channel. This record is not stored: it lasts only while the emulator runs. */
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
  /** The displayed name, which applies in all servers. */
  displayName: string
  bot: boolean
  /** The colour as `#rrggbb`. */
  avatarColor: string
  locale: string
  /** Whether members of shared servers can send the person direct messages. */
  dmsOpen: boolean
}

export interface GuildRecord {
  readonly id: string
  name: string
  ownerId: string
  locale: string
  /**
   * Whether the application, with its commands, was added to this server. The bot can be a member even without this.
   */
  hasApplication: boolean
  /** Whether the server is a Community server. Only such a server can choose a language. */
  community?: boolean
  /** The words that AutoMod blocks. AutoMod does not check the messages of bots that are members. */
  blockedWords?: readonly string[]
}

/** A role. The role with its server's id is @everyone. */
export interface RoleRecord {
  readonly id: string
  readonly guildId: string
  name: string
  /** The permission bits as a decimal number. */
  permissions: string
  color: number
  mentionable: boolean
  hoist: boolean
  position: number
  /** The id of the bot whose own role this is; null for all other roles. */
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
  /** 0 for a role, 1 for a member. */
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
  /** When one of the two other fields last changed. */
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
  /**
   * The ids of the people in a direct or group conversation; for a thread, of its owner and then of those who were
   * added.
   */
  readonly recipientIds: readonly string[]
  /** The id of a thread's channel. */
  readonly parentId?: string | null
  /** The state of a thread; absent for all other channels. */
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
  /** A Unicode emoji, or `name:id` of a server's own emoji. */
  readonly emoji: string
  userIds: string[]
}

/** The interaction that a message answers. */
export interface MessageOrigin {
  readonly id: string
  /** 2 for a command, 3 for a component, 5 for a form. */
  readonly type: number
  readonly userId: string
  /** The command's path, such as `tip`, `voucher create` or `⚡ Tip`; empty for components and forms. */
  readonly name: string
  readonly commandType: number | null
  readonly targetUserId: string | null
  readonly targetMessageId: string | null
  /** On a follow-up message, the id of the first answer. */
  readonly originalMessageId: string | null
  /** The id of the message whose component was used. */
  readonly interactedMessageId: string | null
  /** The installations that allowed the interaction, by kind. */
  readonly owners?: Readonly<Record<string, string>>
  /** For a submitted form, the interaction that opened the form. */
  readonly triggering?: MessageOrigin
}

export interface MessageRecord {
  readonly id: string
  readonly channelId: string
  readonly guildId: string | null
  readonly authorId: string
  /**
   * 0 for a plain message, 19 for a reply, 20 for the answer to a slash command, and 23 for the answer to a menu
   * command.
   */
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
  /** The id of the only person who sees the message; null unless it is ephemeral. */
  readonly visibleTo: string | null
  readonly nonce: string | null
  /** Whether the reader of an ephemeral message has dismissed it. The bot can still edit the message. */
  dismissed: boolean
}

export interface CommandRecord {
  readonly id: string
  readonly type: number
  /** The id of the only server with the command; null for a command that is registered everywhere. */
  readonly guildId: string | null
  version: string
  name: string
  nameLocalisations: Readonly<Record<string, string>> | null
  description: string
  descriptionLocalisations: Readonly<Record<string, string>> | null
  options: readonly JsonObject[]
  defaultMemberPermissions: string | null
  /**
   * Where the command can be used: 0 for servers, 1 for conversations with the bot, and 2 for other direct
   * conversations; null for Discord's default.
   */
  contexts: readonly number[] | null
  integrationTypes: readonly number[]
  nsfw: boolean
}

/**
 * The state of an interaction: `waiting` until the bot responds, then `deferred` or `answered`; or `failed` if the bot
 * did not respond properly in time.
 */
export type InteractionState = 'waiting' | 'deferred' | 'answered' | 'failed'

export interface InteractionRecord {
  readonly id: string
  readonly token: string
  /** 2 for a command, 3 for a component, 4 for an autocomplete, 5 for a form. */
  readonly type: 2 | 3 | 4 | 5
  readonly userId: string
  readonly guildId: string | null
  readonly channelId: string
  readonly sentAt: number
  /**
   * The installations that allow the interaction: under `0`, that of the server or of the conversation with the bot;
   * under `1`, that of a person.
   */
  readonly owners?: Readonly<Record<string, string>>
  /** Whether the bot is here only because a person has installed it for themselves. */
  readonly guest?: boolean
  /** Whether only the person sees the answers, whatever flags the bot sets. */
  readonly forcedEphemeral?: boolean
  /** How many follow-up messages the bot has sent. */
  followUps?: number
  /** The command's path, or the custom id of the component or form. */
  readonly name: string
  readonly commandType: number | null
  readonly targetUserId: string | null
  readonly targetMessageId: string | null
  /** The id of the message with the component that the person used, or that opened the form. */
  readonly sourceMessageId: string | null
  /** For a form, the id of the interaction that opened it. */
  readonly openedBy?: string
  state: InteractionState
  acknowledgedAfterMs: number | null
  /** The id of the message that `@original` means: the first answer, or the message with the component. */
  originalMessageId: string | null
  /** The ids of all messages that answered, in order. */
  messageIds: string[]
  modal: JsonObject | null
  choices: readonly JsonObject[] | null
}
