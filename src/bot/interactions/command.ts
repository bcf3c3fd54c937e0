import type { Logger } from '../../lib/logger.ts'
import type { Origin, Tipping } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import type { ChoiceOption, Message } from '../messages/message.ts'
import type { Links } from '../pay-pages/links.ts'
import type { GuildMembers } from '../people/guild-members.ts'
import type { Names } from './same-server.ts'

/** A slash command: what Discord shows, and what it does. Names and descriptions are in `i18n/`. */
export interface Command<O extends Options = Options> {
  /** One word, or two for a command under a common name: `voucher create`. */
  readonly name: string
  /** Who sees the answer: all, or only the member. Refusals and errors are always private. */
  readonly answer: AnswerMode
  /**
   * `server`: only in servers. `anywhere`: also in a private conversation with the bot. `home`: only in the operators'
   * own server, for its administrators.
   */
  readonly where: 'server' | 'anywhere' | 'home'
  /**
   * People who have installed the bot for themselves can use it in every conversation and server, even if the bot is
   * not a member. Then `guild` is null.
   */
  readonly guests?: true
  /**
   * For moderators. For these, Discord shows the command to people who may manage the server, and the router checks
   * again.
   */
  readonly moderators?: true
  /** Whether it exists, read at each start. Default: everywhere. */
  offered?(tipping: Tipping): boolean
  /**
   * Its card, or the announcement of its end, comes when the answer can no longer be edited, so the bot must be
   * permitted to write there.
   */
  readonly announces?: true
  readonly options: O
  /**
   * Returns the form that must be filled in first, depending on the options alone. The form's FormReply does the rest.
   */
  form?(call: FormCall<O>): Form | undefined
  /** Whether these options make the answer private. */
  isPrivate?(options: Values<O>): boolean
  /**
   * Whether these options require a separate public message, because Discord shows above an answer who used the
   * command. Then the answer is private, and the bot must be permitted to write there.
   */
  hidesAsker?(options: Values<O>): boolean
  /** Whether a dry run looks for a refusal before the acknowledgement, so that the refusal is private. */
  readonly dryRun?: true
  run(call: Call<O>): Promise<Outcome>
}

/** A button. `custom_id` is `verb:record`. A second press does nothing again. */
export interface Button {
  readonly verb: string
  /** The kind of its record. The router compares the record's server with the server of the press. */
  readonly names: Names
  readonly answer: AnswerMode
  /** As for a command: the channel gets the message that the button starts. */
  readonly announces?: true
  /** If the bot is not a member, it sends this button below the answer. */
  readonly guests?: true
  press(press: Press): Promise<Outcome>
}

/**
 * A button that opens a form. Discord wants the form as the first response, within three seconds, so `open` should read
 * one record at most. Its errors are explained privately.
 */
export interface FormButton {
  readonly verb: string
  /** The kind of its record. The router compares the record's server with the server of the press. */
  readonly names: Names
  open(opening: Opening): Promise<Form>
}

/** A menu under a message. Its `custom_id` is `verb:record`, like a button's. */
export interface Choice {
  readonly verb: string
  /** The kind of its record. The router compares the record's server with the server of the press. */
  readonly names: Names
  readonly answer: AnswerMode
  choose(choosing: Choosing): Promise<Outcome>
}

/** A command in a message's or a person's menu. A form asks for all other values at once. */
export interface MenuCommand {
  /** Its texts are at `menus.<name>`. */
  readonly name: string
  readonly on: 'message' | 'member'
  /** As for a command. All members see the result of a menu's action. */
  readonly announces?: true
  open(opening: MenuOpening): Promise<Form>
}

/** Handles a submitted form. Its `custom_id` is `verb:record`, like a button's. */
export interface FormReply {
  readonly verb: string
  /** The kind of its record. The router compares the record's server with the server of the press. */
  readonly names: Names
  readonly answer: AnswerMode
  readonly dryRun?: true
  submit(submission: Submission): Promise<Outcome>
  /**
   * The button under a form's refusal. It opens the form again as it was filled in, with the values that the button
   * cannot store.
   */
  again?(filled: Filled): Pick<Message, 'buttons' | 'content'>
}

/** A form with at most five lines to fill in. */
export interface Form {
  /** The FormReply's verb. */
  readonly verb: string
  readonly record: string
  /** At most 45 characters, as for every label. */
  readonly title: string
  readonly fields: readonly FormField[]
}

export type FormField = {
  readonly name: string
  readonly label: string
  /** At most 100 characters. */
  readonly hint?: string
  readonly optional?: boolean
} & (
  | { readonly longest: number; readonly value?: string }
  /** One of these choices, at most 25. */
  | { readonly choices: readonly ChoiceOption[] }
  /** One of these two to ten choices, all visible. */
  | { readonly radios: readonly ChoiceOption[] }
  /** A selection of at most this many people, or of one role of the server. */
  | { readonly picks: 'members' | 'role'; readonly most?: number }
  /** An uploaded picture. */
  | { readonly upload: 'picture' }
)

/** `update`: a button or form changes its own message instead of answering with a new one. */
export type AnswerMode = 'public' | 'private' | 'update'

/**
 * The answer: a card, which is redrawn whenever its record changes; a message that is sent once; or a private message.
 * A private card is always the asker's alone. `former`: the reply that showed the card until now. That reply also shows
 * the card's later changes while Discord permits edits.
 */
export type Outcome =
  | { readonly card: string; readonly isPrivate?: true; readonly former?: string | undefined }
  | { readonly say: Message }
  | { readonly ephemeral: Message }

/** The person who asks for help, the channel, and the facts that the answer needs. */
export interface Asking {
  readonly member: string
  /** The member's name in this server. */
  readonly memberName: string
  /** The member's unique name at Discord, which they can change. */
  readonly userName: string
  readonly caller: MemberContext
  readonly guild: string | null
  readonly origin: Origin
  /**
   * The origin of a separate message that this starts: in the channel, or below the answer if the bot is not a member.
   */
  readonly announced: Origin
  /** When the person triggered the interaction. */
  readonly asked: Date
  /** Translates into the member's language. */
  readonly t: Translator
  /** Translates into the place's language, for a public answer. */
  readonly toAll: Translator
  /** Translates into the member's chosen language, else Discord's. */
  readonly inLanguageOf: (member: string) => Translator
  readonly tipping: Tipping
  /** Our pages that an answer may link to. */
  readonly links: Links
  readonly members: GuildMembers
  readonly log: Logger
  /**
   * Notes whom the answer will name. The acknowledgement names the dry run's recipients, so that only the message that
   * becomes the answer notifies them.
   */
  willName(people: readonly string[]): void
}

/** What Discord reports about a person with every interaction. */
export interface MemberContext {
  readonly accountSince: Date
  /** When they joined this server; undefined in a private conversation. */
  readonly memberSince: Date | undefined
  /** The ids of their roles here. */
  readonly roles: readonly string[]
  /** Whether they may manage this server. */
  readonly manager: boolean
  /** Whether they may moderate, by permission or by a role in the server's present settings. */
  readonly moderates: () => Promise<boolean>
  /** Whether they may do everything in this server. */
  readonly administrator: boolean
  /** Whether they can see a channel of this server, by its id. */
  readonly sees: (channel: string) => boolean
  /** Whether the bot may send messages in a channel of this server, as far as is known. */
  readonly botWrites: (channel: string) => boolean
}

export interface Call<O extends Options = Options> extends Asking {
  readonly options: Values<O>
}

/** What is known about a command before its acknowledgement. */
export type FormCall<O extends Options = Options> = Pick<Call<O>, 'options' | 't' | 'tipping'>

export interface Press extends Asking {
  readonly record: string
}

export interface Choosing extends Press {
  /** The chosen values, or ids of roles or channels. */
  readonly chosen: readonly string[]
}

/** A submitted form's content. */
export type Filled = Pick<Submission, 'record' | 'values' | 'picked' | 't'>

export interface Submission extends Press {
  /** The typed values, by field name. */
  readonly values: Readonly<Record<string, string>>
  /** The people and roles that were picked. */
  readonly picked: Readonly<Record<string, readonly Mentioned[]>>
  readonly pictures: Readonly<Record<string, UploadedPicture>>
}

/** A file that somebody uploaded with a form, as Discord describes it. */
export interface UploadedPicture {
  /** Its address at Discord. */
  readonly url: string
  readonly bytes: number
  /** In pixels. 0 if Discord names no size, so it is not a picture. */
  readonly width: number
  readonly height: number
  readonly contentType: string
}

/** What is known before the acknowledgement. */
export type Opening = Pick<Press, 'member' | 'caller' | 'guild' | 't' | 'tipping' | 'record'>

/** A menu's target: a person, or a message and its author. */
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

/** `name` is shown (at most 100 characters), and the command gets `value`. */
export interface Suggestion {
  readonly name: string
  readonly value: string
}

/** A command's options by name, in the order in which Discord offers them: required ones first. */
export type Options = Readonly<Record<string, Option>>

export type Option = {
  readonly required?: true
} & (
  | {
      readonly kind: 'text'
      readonly longest?: number
      readonly choices?: readonly string[]
      /** Suggests at most 25 values while somebody types. */
      readonly suggest?: (typing: Typing) => Promise<readonly Suggestion[]>
    }
  | { readonly kind: 'whole'; readonly smallest: number; readonly largest: number }
  | { readonly kind: 'yes-no' }
  | { readonly kind: 'mentionable' }
  | { readonly kind: 'member' }
  /** `ofBots`: also accepts a role that only a bot has. Other options refuse it. */
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
  /** In bytes. */
  readonly size: number
}

/** A handler's values, computed from the options it declares. */
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
