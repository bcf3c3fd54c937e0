import type { JsonObject } from './rules/form.ts'

/**
 * A person as others see them. This and the other views are plain JSON, which a page can receive as server-sent events
 * and a test can compare. Ids are snowflakes. Times are in ISO 8601. Embeds, components and forms have Discord's own
 * shapes (https://docs.discord.com/developers/resources/message, …/components), because a page renders exactly these.
 */

export interface PersonView {
  readonly id: string
  /** The unique name, such as `alice`. */
  readonly username: string
  /** The displayed name, such as `Alice`. */
  readonly name: string
  readonly avatarUrl: string
  /** The colour as `#rrggbb`. */
  readonly avatarColor: string
  readonly bot: boolean
  readonly locale: string
  /** When the account was created. */
  readonly createdAt: string
  readonly dmsOpen: boolean
}

export interface MemberView extends PersonView {
  /** The member's name in this server; null if they use their own. */
  readonly nick: string | null
  readonly roleIds: readonly string[]
  readonly joinedAt: string
  /** Whether the member has Manage Server. */
  readonly moderator: boolean
}

export interface RoleView {
  readonly id: string
  readonly name: string
  /** The colour as `#rrggbb`; null for no colour. */
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
  /** The id of a thread's channel; null for all other channels. */
  readonly parentId: string | null
  /** Whether the channel is a thread that is archived or locked. */
  readonly archived: boolean
  readonly locked: boolean
  /** The name without `#`. In a direct conversation, it is the other person's name. */
  readonly name: string
  readonly topic: string
  readonly lastMessageId: string | null
  /** The other person in a direct conversation; null in all other channels. */
  readonly with: PersonView | null
}

/** A server as one person sees it, with only the channels that this person can see. */
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
  /** A Unicode emoji, or `name:id` of a server's own emoji. */
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
   * The names, by id, of the people mentioned as `<@id>` whom the reader's client has loaded, and of all roles
   * mentioned as `<@&id>`. For other people, the client shows the mention as written.
   */
  readonly names: {
    readonly people: Readonly<Record<string, string>>
    readonly roles: Readonly<Record<string, string>>
  }
  /** Whom the message notifies. */
  readonly notifies: {
    readonly personIds: readonly string[]
    readonly roleIds: readonly string[]
    readonly everyone: boolean
  }
  readonly embeds: readonly JsonObject[]
  readonly components: readonly JsonObject[]
  /** All attachments, including those that are shown inside an embed. Those with `loose` are shown separately. */
  readonly attachments: readonly (AttachmentView & { readonly loose: boolean })[]
  readonly reactions: readonly ReactionView[]
  /** Whether the message shows "Only you can see this". */
  readonly ephemeral: boolean
  /** The only person who sees the message; null for everybody. */
  readonly visibleTo: string | null
  /** Whether the message shows "Satchel is thinking…". */
  readonly loading: boolean
  /** Who used which command, shown as "alice used /tip"; null unless the message answers a command. */
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

/** A command in the picker. A slash command with subcommands is listed once for each subcommand. */
export interface CommandView {
  readonly id: string
  readonly kind: 'slash' | 'user' | 'message'
  /** The command's path, such as `tip`, `voucher create` or `⚡ Tip this message`. */
  readonly path: string
  /** The label that the person sees, in their language. */
  readonly label: string
  readonly description: string
  readonly options: readonly OptionView[]
}

/** A form that the bot has opened. `components` has the shape of Discord's modals. */
export interface ModalView {
  readonly customId: string
  readonly title: string
  readonly components: readonly JsonObject[]
}

/**
 * An interaction as its person sees it. Its `state` is `waiting` until the bot responds (3 seconds at most); `deferred`
 * after a deferred response, until the answer follows; `answered` after a message, an update, a form or choices; or
 * `failed`, which shows "The application did not respond".
 */
export interface InteractionView {
  readonly id: string
  readonly kind: 'command' | 'component' | 'autocomplete' | 'modal'
  readonly personId: string
  readonly channelId: string
  /** The command's path, or the custom id of the component or form. */
  readonly name: string
  readonly sentAt: string
  readonly state: 'waiting' | 'deferred' | 'answered' | 'failed'
  /** How many milliseconds the bot took for its first response; null until then. */
  readonly acknowledgedAfterMs: number | null
  /** The ids of all messages that answered, the earliest first. */
  readonly messageIds: readonly string[]
  readonly modal: ModalView | null
  readonly choices: readonly ChoiceView[] | null
  /** The text that is shown under a failed interaction; null if it has not failed. */
  readonly failure: string | null
}

/**
 * An event for the observers. `visibleTo` is the id of the only person who may learn of it; null if everybody in the
 * channel may.
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

/** A request that the bot made to the REST API. Tests validate it against Discord's OpenAPI document. */
export interface RecordedRequest {
  /** When the request was made, in Unix milliseconds of the emulator's clock. */
  readonly at: number
  readonly method: string
  /** The path without the query and without `/api/v10`, such as `/channels/123/messages`. */
  readonly path: string
  readonly query: Readonly<Record<string, unknown>>
  /** The JSON body; for a multipart request, its `payload_json`. */
  readonly body: unknown
  readonly files: readonly { readonly name: string; readonly bytes: number }[]
  readonly status: number
}
