import type { Logger } from '../../lib/logger.ts'
import type { Origin, Tipping } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import type { ChoiceOption, Message } from '../messages/message.ts'
import type { Links } from '../pay-pages/links.ts'
import type { GuildMembers } from '../people/guild-members.ts'
import type { Names } from './same-server.ts'

/** A slash command: what Discord shows, and what it does. Names and descriptions are in `i18n/`. */
export interface Command<O extends Options = Options> {
  /** The English name: one word, or two for a subcommand such as `voucher create`. */
  readonly name: string
  /** The audience of the answer: everybody, or only the member. Refusals and errors are always private. */
  readonly answer: AnswerMode
  /**
   * The places where the command can be used. `server`: only in servers. `anywhere`: also in a private conversation
   * with the bot. `home`: only in the operators' own server, for its administrators.
   */
  readonly where: 'server' | 'anywhere' | 'home'
  /**
   * Whether people who have installed the bot for themselves can use the command in every conversation and server.
   * Where the bot is not a member, `guild` is null.
   */
  readonly guests?: true
  /**
   * Whether the command is only for moderators. Discord shows such a command to people who may manage the server, and
   * the router checks the right again.
   */
  readonly moderators?: true
  /** Returns whether the command is registered, which is determined at each start. Default: always. */
  offered?(tipping: Tipping): boolean
  /**
   * Whether the command's card, or the announcement of its end, comes when the answer can no longer be edited, so that
   * the bot must be permitted to write in the channel.
   */
  readonly announces?: true
  readonly options: O
  /**
   * Returns the form that must be filled in first, depending only on the options. That form's FormReply does the rest.
   */
  form?(call: FormCall<O>): Form | undefined
  /** Whether these options make the answer private. */
  isPrivate?(options: Values<O>): boolean
  /**
   * Whether these options require a separate public message, because Discord shows above an answer who used the
   * command. If so, the answer is private, and the bot must be permitted to write in the channel.
   */
  hidesAsker?(options: Values<O>): boolean
  /** Whether a dry run looks for a refusal before the acknowledgement, so that the refusal is private. */
  readonly dryRun?: true
  run(call: Call<O>): Promise<Outcome>
}

/** A button, whose `custom_id` is `verb:record`. A second press must not have any effect twice. */
export interface Button {
  readonly verb: string
  /**
   * The kind of the record in the `custom_id`. The router compares the record's server with the server of the
   * interaction.
   */
  readonly names: Names
  readonly answer: AnswerMode
  /** Whether the button starts a separate message, so that the bot must be permitted to write in the channel. */
  readonly announces?: true
  /** Whether the button's separate message may instead appear below the answer, where the bot is not a member. */
  readonly guests?: true
  press(press: Press): Promise<Outcome>
}

/**
 * A button that opens a form. Discord requires the form as the first response, within three seconds, so `open` should
 * read at most one record. Errors of `open` are explained privately.
 */
export interface FormButton {
  readonly verb: string
  /**
   * The kind of the record in the `custom_id`. The router compares the record's server with the server of the
   * interaction.
   */
  readonly names: Names
  open(opening: Opening): Promise<Form>
}

/** A menu under a message. The menu's `custom_id` is `verb:record`, like a button's. */
export interface Choice {
  readonly verb: string
  /**
   * The kind of the record in the `custom_id`. The router compares the record's server with the server of the
   * interaction.
   */
  readonly names: Names
  readonly answer: AnswerMode
  choose(choosing: Choosing): Promise<Outcome>
}

/** A command in a message's or a person's menu. A form asks for all other values at once. */
export interface MenuCommand {
  /** The key of the command's texts, which are at `menus.<name>`. */
  readonly name: string
  readonly on: 'message' | 'member'
  /** Whether the bot must be permitted to write in the channel, because all members see the result. */
  readonly announces?: true
  open(opening: MenuOpening): Promise<Form>
}

/** The handler of a submitted form, whose `custom_id` is `verb:record`, like a button's. */
export interface FormReply {
  readonly verb: string
  /**
   * The kind of the record in the `custom_id`. The router compares the record's server with the server of the
   * interaction.
   */
  readonly names: Names
  readonly answer: AnswerMode
  readonly dryRun?: true
  submit(submission: Submission): Promise<Outcome>
  /**
   * Returns the button under a form's refusal that opens the filled-in form again, and a text with a value that the
   * button cannot store.
   */
  again?(filled: Filled): Pick<Message, 'buttons' | 'content'>
}

/** A form with at most five fields. */
export interface Form {
  /** The verb of the FormReply that handles the form. */
  readonly verb: string
  readonly record: string
  /** The title, at most 45 characters long, like every label. */
  readonly title: string
  readonly fields: readonly FormField[]
}

export type FormField = {
  readonly name: string
  readonly label: string
  /** The text below the label, at most 100 characters long. */
  readonly hint?: string
  readonly optional?: boolean
} & (
  | { readonly longest: number; readonly value?: string }
  /** A selection of one of these choices, of which there are at most 25. */
  | { readonly choices: readonly ChoiceOption[] }
  /** A selection of one of these two to ten choices, all of which are visible. */
  | { readonly radios: readonly ChoiceOption[] }
  /** A selection of at most this many people, or of one role of the server. */
  | { readonly picks: 'members' | 'role'; readonly most?: number }
  /** An uploaded picture. */
  | { readonly upload: 'picture' }
)

/** The kind of an answer. `update`: a button or form changes its own message instead of answering with a new one. */
export type AnswerMode = 'public' | 'private' | 'update'

/**
 * The answer: a card, which is redrawn whenever its record changes; a message that is sent once; or a private message.
 * A private card is always shown only to the asker. `former` is the reply that showed the card until now, and that also
 * shows the card's later changes while Discord permits edits.
 */
export type Outcome =
  | { readonly card: string; readonly isPrivate?: true; readonly former?: string | undefined }
  | { readonly say: Message }
  | { readonly ephemeral: Message }

/** The person and the place of an interaction, and everything else that its handler needs. */
export interface Asking {
  readonly member: string
  /** The member's name in this server. */
  readonly memberName: string
  /** The member's unique name at Discord, which the member can change. */
  readonly userName: string
  readonly caller: MemberContext
  readonly guild: string | null
  readonly origin: Origin
  /**
   * The origin of a separate message that the interaction starts: in the channel, or below the answer if the bot is not
   * a member.
   */
  readonly announced: Origin
  /** The time when the person triggered the interaction. */
  readonly asked: Date
  /** The translator into the member's language. */
  readonly t: Translator
  /** The translator into the place's language, for a public answer. */
  readonly toAll: Translator
  /**
   * Returns the translator into this member's chosen language, otherwise into the language of the asker's Discord
   * client.
   */
  readonly inLanguageOf: (member: string) => Translator
  readonly tipping: Tipping
  /** Our pages that an answer may link to. */
  readonly links: Links
  readonly members: GuildMembers
  readonly log: Logger
  /**
   * Notes the people whom the answer will name. The acknowledgement names those whom a dry run noted, because only the
   * first message, which becomes the answer, notifies people.
   */
  willName(people: readonly string[]): void
}

/** The facts that Discord reports about a person with every interaction. */
export interface MemberContext {
  readonly accountSince: Date
  /** The time when the person joined this server; undefined in a private conversation. */
  readonly memberSince: Date | undefined
  /** The ids of the person's roles in this server. */
  readonly roles: readonly string[]
  /** Whether the person may manage this server. */
  readonly manager: boolean
  /**
   * Resolves to whether the person may moderate this server, through a permission or a role in the server's present
   * settings.
   */
  readonly moderates: () => Promise<boolean>
  /** Whether the person is an administrator of this server. */
  readonly administrator: boolean
  /** Returns whether the person can see the channel with this id in this server. */
  readonly sees: (channel: string) => boolean
  /** Returns whether the bot may send messages in the channel with this id in this server, as far as is known. */
  readonly botWrites: (channel: string) => boolean
}

export interface Call<O extends Options = Options> extends Asking {
  readonly options: Values<O>
}

/** The facts about a command that are known before its acknowledgement. */
export type FormCall<O extends Options = Options> = Pick<Call<O>, 'options' | 't' | 'tipping'>

export interface Press extends Asking {
  readonly record: string
}

export interface Choosing extends Press {
  /** The chosen values, or the ids of the chosen roles or channels. */
  readonly chosen: readonly string[]
}

/** A submitted form's content. */
export type Filled = Pick<Submission, 'record' | 'values' | 'picked' | 't'>

export interface Submission extends Press {
  /** The typed and selected values, by field name. */
  readonly values: Readonly<Record<string, string>>
  /** The people and roles that were picked. */
  readonly picked: Readonly<Record<string, readonly Mentioned[]>>
  readonly pictures: Readonly<Record<string, UploadedPicture>>
}

/** A file that somebody uploaded with a form, as Discord describes it. */
export interface UploadedPicture {
  /** The file's address at Discord. */
  readonly url: string
  readonly bytes: number
  /** The width in pixels; 0 if Discord reports none, because the file is not a picture. */
  readonly width: number
  readonly height: number
  readonly contentType: string
}

/** The facts that are known before the acknowledgement, when a form must be opened. */
export type Opening = Pick<Press, 'member' | 'caller' | 'guild' | 't' | 'tipping' | 'record'>

/** The target of a menu's command: a person, or a message and its author. */
export interface MenuOpening extends Omit<Opening, 'record'> {
  readonly channel: string
  readonly message: string | undefined
  readonly person: { readonly id: string; readonly bot: boolean }
}

/** A person who types into an option and wants suggestions. */
export interface Typing extends Pick<Asking, 'member' | 'caller' | 'guild' | 't' | 'tipping'> {
  readonly typed: string
  readonly at: Date
}

/** A suggested value. `name` is shown (at most 100 characters), and the command receives `value`. */
export interface Suggestion {
  readonly name: string
  readonly value: string
}

/** A command's options by name. Discord offers required options first, and otherwise keeps this order. */
export type Options = Readonly<Record<string, Option>>

export type Option = {
  readonly required?: true
} & (
  | {
      readonly kind: 'text'
      readonly longest?: number
      readonly choices?: readonly string[]
      /** Returns at most 25 suggestions while somebody types. */
      readonly suggest?: (typing: Typing) => Promise<readonly Suggestion[]>
    }
  | { readonly kind: 'whole'; readonly smallest: number; readonly largest: number }
  | { readonly kind: 'yes-no' }
  | { readonly kind: 'mentionable' }
  | { readonly kind: 'member' }
  /** A role. A role that only a bot has is accepted only with `ofBots`. */
  | { readonly kind: 'role'; readonly ofBots?: true }
  | { readonly kind: 'file' }
)

/** A picked person or role. `ofBot`: Discord created the role for a bot, so no member can have it. */
export type Mentioned =
  | { readonly kind: 'member'; readonly id: string; readonly bot: boolean }
  | { readonly kind: 'role'; readonly id: string; readonly ofBot?: true }

/** A file that was uploaded with the command, as Discord describes it. */
export interface UploadedFile {
  readonly url: string
  readonly name: string
  /** The size in bytes. */
  readonly size: number
}

/** The types of a handler's values, derived from the options that the handler declares. */
export type Values<O extends Options> = {
  readonly [Name in keyof O]: O[Name] extends { required: true } ? Value<O[Name]> : Value<O[Name]> | undefined
}

type Value<O extends Option> = O extends { kind: 'text' }
  ? O extends { choices: readonly (infer Choice)[] }
    ? Choice
    : string
  : {
      whole: number
      'yes-no': boolean
      mentionable: Mentioned
      member: Extract<Mentioned, { kind: 'member' }>
      role: Extract<Mentioned, { kind: 'role' }>
      file: UploadedFile
      text: string
    }[O['kind']]
