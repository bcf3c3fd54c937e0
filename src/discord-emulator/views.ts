import type { JsonObject } from './rules/form.ts'

/**
 * A person's view of Discord as plain JSON, which a page can receive as server-sent events and a test can compare. Ids
 * are snowflakes. Times are ISO 8601. Embeds, components and forms keep Discord's own shapes
 * (https://docs.discord.com/developers/resources/message, …/components), because a page renders exactly these.
 */

export interface PersonView {
  readonly id: string
  /** `alice` */
  readonly username: string
  /** `Alice` */
  readonly name: string
  readonly avatarUrl: string
  /** `#rrggbb` */
  readonly avatarColor: string
  readonly bot: boolean
  readonly locale: string
  /** When the account was created. */
  readonly createdAt: string
  readonly dmsOpen: boolean
}

export interface MemberView extends PersonView {
  /** The name in this server. */
  readonly nick: string | null
  readonly roleIds: readonly string[]
  readonly joinedAt: string
  /** Whether the member has Manage Server. */
  readonly moderator: boolean
}

export interface RoleView {
  readonly id: string
  readonly name: string
  /** `#rrggbb`; null for no colour. */
  readonly color: string | null
  readonly mentionable: boolean
  readonly hoist: boolean
  readonly position: number
  readonly managed: boolean
}

export interface ChannelView {
  readonly id: string
  readonly serverId: string | null
  /** The channel's kind. A post in a forum is a thread. */
  readonly kind: 'text' | 'announcement' | 'voice' | 'stage' | 'forum' | 'thread' | 'dm' | 'group'
  /** A thread's channel. */
  readonly parentId: string | null
  /** Whether the channel is a thread that is archived or locked. */
  readonly archived: boolean
  readonly locked: boolean
  /** The name without `#`. A direct conversation has the other person's name. */
  readonly name: string
  readonly topic: string
  readonly lastMessageId: string | null
  /** The other person; only in direct conversations. */
  readonly with: PersonView | null
}

/** A server as one person sees it, with only the channels that they may see. */
export interface ServerView {
  readonly id: string
  readonly name: string
  readonly ownerId: string
  readonly locale: string
  readonly roles: readonly RoleView[]
  readonly channels: readonly ChannelView[]
  readonly members: readonly MemberView[]
}

export interface AttachmentView {
  readonly id: string
  readonly filename: string
  readonly url: string
  readonly contentType: string
  readonly size: number
  readonly width: number | null
  readonly height: number | null
  /** The alt text. */
  readonly description: string | null
}

export interface ReactionView {
  /** A unicode emoji, or `name:id`. */
  readonly emoji: string
  readonly personIds: readonly string[]
}

export interface MessageView {
  readonly id: string
  readonly channelId: string
  readonly serverId: string | null
  readonly author: PersonView
  readonly createdAt: string
  readonly editedAt: string | null
  readonly content: string
  /**
   * The people named in the text as `<@id>` whom the reader's client has loaded (others appear as their id), and every
   * role named as `<@&id>`.
   */
  readonly names: {
    readonly people: Readonly<Record<string, string>>
    readonly roles: Readonly<Record<string, string>>
  }
  /** People whom the message notifies. */
  readonly notifies: {
    readonly personIds: readonly string[]
    readonly roleIds: readonly string[]
    readonly everyone: boolean
  }
  readonly embeds: readonly JsonObject[]
  readonly components: readonly JsonObject[]
  /** All attachments, including those shown inside an embed; `loose` ones are shown separately. */
  readonly attachments: readonly (AttachmentView & { readonly loose: boolean })[]
  readonly reactions: readonly ReactionView[]
  /** Whether it shows "Only you can see this". */
  readonly ephemeral: boolean
  /** The only person who sees the message; null for everybody. */
  readonly visibleTo: string | null
  /** Whether it shows "Satchel is thinking…". */
  readonly loading: boolean
  /** "alice used /tip"; null unless the message answers a command. */
  readonly usedBy: { readonly personId: string; readonly name: string; readonly command: string } | null
  readonly interactionId: string | null
  readonly replyTo: string | null
  readonly componentsV2: boolean
}

export interface ChoiceView {
  readonly name: string
  readonly value: string | number
}

export interface OptionView {
  readonly name: string
  readonly description: string
  readonly type:
    | 'string'
    | 'integer'
    | 'boolean'
    | 'user'
    | 'channel'
    | 'role'
    | 'mentionable'
    | 'number'
    | 'attachment'
  readonly required: boolean
  readonly autocomplete: boolean
  readonly choices: readonly ChoiceView[]
  readonly min: number | null
  readonly max: number | null
  readonly minLength: number | null
  readonly maxLength: number | null
}

/** A command in the picker. A slash command with subcommands is listed once for each of them. */
export interface CommandView {
  readonly id: string
  readonly kind: 'slash' | 'user' | 'message'
  /** The command's path: `tip`, `voucher create`, `⚡ Tip this message`. */
  readonly path: string
  /** The visible label, in the person's language. */
  readonly label: string
  readonly description: string
  readonly options: readonly OptionView[]
}

/** A form that the bot opened; `components` in Discord's shape of modals. */
export interface ModalView {
  readonly customId: string
  readonly title: string
  readonly components: readonly JsonObject[]
}

/**
 * An interaction's state. `waiting`: nothing yet (3 seconds at most). `deferred`: acknowledged, the answer will follow.
 * `answered`: a message, an update, a form or choices came. `failed`: "The application did not respond".
 */
export interface InteractionView {
  readonly id: string
  readonly kind: 'command' | 'component' | 'autocomplete' | 'modal'
  readonly personId: string
  readonly channelId: string
  /** The command's path, or the custom id. */
  readonly name: string
  readonly sentAt: string
  readonly state: 'waiting' | 'deferred' | 'answered' | 'failed'
  /** Milliseconds from sending to the first response. */
  readonly acknowledgedAfterMs: number | null
  /** Every message that answered, the first answer first. */
  readonly messageIds: readonly string[]
  readonly modal: ModalView | null
  readonly choices: readonly ChoiceView[] | null
  /** The text under a failed interaction. */
  readonly failure: string | null
}

/**
 * An event for the watchers. `visibleTo` names the only person who may learn of it; null means everybody in the
 * channel.
 */
export type EmulatorEvent =
  | {
      readonly type: 'message-created' | 'message-updated'
      readonly channelId: string
      readonly visibleTo: string | null
      readonly message: MessageView
    }
  | {
      readonly type: 'message-deleted'
      readonly channelId: string
      readonly visibleTo: string | null
      readonly messageId: string
    }
  | { readonly type: 'interaction'; readonly visibleTo: string; readonly interaction: InteractionView }
  | { readonly type: 'typing'; readonly channelId: string; readonly visibleTo: null; readonly personId: string }
  /** Servers, channels, members, roles or commands have changed; clients should reload them. */
  | { readonly type: 'world'; readonly visibleTo: null }
  /** Whether the bot is connected to the gateway. */
  | { readonly type: 'bot'; readonly visibleTo: null; readonly online: boolean }

/** A request that the bot made over REST, as the tests validate it against Discord's OpenAPI document. */
export interface RecordedRequest {
  /** Milliseconds of the emulator's clock. */
  readonly at: number
  readonly method: string
  /** Without the query and without `/api/v10`: `/channels/123/messages`. */
  readonly path: string
  readonly query: Readonly<Record<string, unknown>>
  /** The JSON body; for a multipart request its `payload_json`. */
  readonly body: unknown
  readonly files: readonly { readonly name: string; readonly bytes: number }[]
  readonly status: number
}
