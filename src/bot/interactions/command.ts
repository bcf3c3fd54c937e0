import type { Logger } from '../../lib/logger.ts'
import type { Origin, Tipping } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import type { ChoiceOption, Message } from '../messages/message.ts'
import type { Links } from '../pay-pages/links.ts'
import type { GuildMembers } from '../people/guild-members.ts'
import type { Names } from './same-server.ts'

/** A slash command: what Discord shows of it, and what it does. Names and descriptions are in `i18n/`. */
export interface Command<O extends Options = Options> {
  /** One word, or two for one of several under a common name: `voucher create`. */
  readonly name: string
  /** Who sees the answer: all, or only the member. Refusals and errors are private in any case. */
  readonly answer: AnswerMode
  /**
   * `server`: only among members of one; `anywhere`: in a private conversation with the bot too; `home`: only in the
   * operators' own server, for its administrators.
   */
  readonly where: 'server' | 'anywhere' | 'home'
  /**
   * People who have installed the bot for themselves have it in every conversation and server, also where the bot is no
   * member. There is no server then: `guild` is null.
   */
  readonly guests?: true
  /** For moderators: Discord shows it to those who may manage the server, and the router asks again. */
  readonly moderators?: true
  /** Whether it exists, asked at each start. Default: everywhere. */
  offered?(tipping: Tipping): boolean
  /**
   * Its card or its end comes after the answer can no longer be edited, so the bot must be allowed to write there.
   */
  readonly announces?: true
  readonly options: O
  /** The form that must be filled in first, chosen by the options alone; its FormReply does the rest. */
  form?(call: FormCall<O>): Form | undefined
  /** With which options the answer is the asker's alone, no matter who sees it otherwise. */
  isPrivate?(options: Values<O>): boolean
  /**
   * With which options what all see is a message of the bot's own: Discord shows above an answer who used the command. The answer is the
   * asker's alone then, and the bot must be able to write there.
   */
  hidesAsker?(options: Values<O>): boolean
  /** Finds a refusal before the acknowledgement, so that it is private from the start. */
  readonly dryRun?: true
  run(call: Call<O>): Promise<Outcome>
}

/** A button: `custom_id` is `verb:record`. Pressing it twice does nothing twice. */
export interface Button {
  readonly verb: string
  /** Kind of its record; the router compares the record's server with the server of the press. */
  readonly names: Names
  readonly answer: AnswerMode
  /** As for a command: the channel hears what it begins. */
  readonly announces?: true
  /** Where the bot is not a member, a follow-up to the answer says it. */
  readonly guests?: true
  press(press: Press): Promise<Outcome>
}

/**
 * A button that asks for something to be typed. Discord wants the form as the first response, within three seconds, so
 * `open` may read one record and no more; what it throws is explained privately.
 */
export interface FormButton {
  readonly verb: string
  /** Kind of its record; the router compares the record's server with the server of the press. */
  readonly names: Names
  open(opening: Opening): Promise<Form>
}

/** A menu to choose from under a message; its `custom_id` is `verb:record`, like a button's. */
export interface Choice {
  readonly verb: string
  /** Kind of its record; the router compares the record's server with the server of the press. */
  readonly names: Names
  readonly answer: AnswerMode
  choose(choosing: Choosing): Promise<Outcome>
}

/** A command in the menu of a message or of a person. A form asks for everything else, at once. */
export interface MenuCommand {
  /** Its texts are at `menus.<name>`. */
  readonly name: string
  readonly on: 'message' | 'member'
  /** As a command's. A menu's action is for all to see. */
  readonly announces?: true
  open(opening: MenuOpening): Promise<Form>
}

/** Handles a submitted form: its `custom_id` is `verb:record`, like a button's. */
export interface FormReply {
  readonly verb: string
  /** Kind of its record; the router compares the record's server with the server of the press. */
  readonly names: Names
  readonly answer: AnswerMode
  readonly dryRun?: true
  submit(submission: Submission): Promise<Outcome>
  /**
   * Button under the refusal of a form. It opens the form again as it was filled in, with the values that the button
   * cannot hold.
   */
  again?(filled: Filled): Pick<Message, 'buttons' | 'content'>
}

/** A form with at most five lines to fill in. */
export interface Form {
  /** Of the FormReply. */
  readonly verb: string
  readonly record: string
  /** At most 45 characters, as every label. */
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
  /** One of these, at most 25. */
  | { readonly choices: readonly ChoiceOption[] }
  /** One of these two to ten choices, all visible. */
  | { readonly radios: readonly ChoiceOption[] }
  /** People, so many at most; or one role of the server. */
  | { readonly picks: 'members' | 'role'; readonly most?: number }
  /** A picture to upload. */
  | { readonly upload: 'picture' }
)

/** `update`: a button or form changes the message that it is on, instead of answering with a new one. */
export type AnswerMode = 'public' | 'private' | 'update'

/**
 * The answer: a card, redrawn whenever its record changes; a message that is said once; or a message for the asker
 * alone. A private card is the asker's in any case, too.
 */
export type Outcome =
  | { readonly card: string; readonly isPrivate?: true }
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
  /** The origin of what this begins as a message of its own: in the channel, or, where the bot is not a member, below the answer. */
  readonly announced: Origin
  /** When it was asked. */
  readonly asked: Date
  /** In the member's language. */
  readonly t: Translator
  /** In the language that everybody is spoken to here, for an answer that all see. */
  readonly toAll: Translator
  /** In the member's chosen language, else in Discord's. */
  readonly inLanguageOf: (member: string) => Translator
  readonly tipping: Tipping
  /** Pages of ours that an answer may lead to. */
  readonly links: Links
  readonly members: GuildMembers
  readonly log: Logger
  /**
   * Whom the answer will name. The acknowledgement names the dry run's recipients, so only the message that becomes the
   * answer notifies them.
   */
  willName(people: readonly string[]): void
}

/** Facts that Discord sends about somebody with every interaction. */
export interface MemberContext {
  readonly accountSince: Date
  /** When they joined this server; undefined in a private conversation. */
  readonly memberSince: Date | undefined
  /** Ids of their roles here. */
  readonly roles: readonly string[]
  /** May manage this server. */
  readonly manager: boolean
  /** Whether they may moderate, by permission or by a role in the server's current settings. */
  readonly moderates: () => Promise<boolean>
  /** May do everything in this server. */
  readonly administrator: boolean
  /** Whether they see a channel of this server, by its id. */
  readonly sees: (channel: string) => boolean
  /** Whether the bot may write in a channel of this server by itself, as far as is known. */
  readonly botWrites: (channel: string) => boolean
}

export interface Call<O extends Options = Options> extends Asking {
  readonly options: Values<O>
}

/** Facts about a command that are known before its acknowledgement. */
export type FormCall<O extends Options = Options> = Pick<Call<O>, 'options' | 't' | 'tipping'>

export interface Press extends Asking {
  readonly record: string
}

export interface Choosing extends Press {
  /** Values of options, or ids of roles or channels. */
  readonly chosen: readonly string[]
}

/** A submitted form's contents. */
export type Filled = Pick<Submission, 'record' | 'values' | 'picked' | 't'>

export interface Submission extends Press {
  /** Typed values, by field name. */
  readonly values: Readonly<Record<string, string>>
  /** People and roles that were picked. */
  readonly picked: Readonly<Record<string, readonly Mentioned[]>>
  readonly pictures: Readonly<Record<string, UploadedPicture>>
}

/** A file that somebody uploaded with a form, as Discord describes it. */
export interface UploadedPicture {
  /** At Discord. */
  readonly url: string
  readonly bytes: number
  /** In pixels; 0 if Discord knows no size, so it is not a picture. */
  readonly width: number
  readonly height: number
  readonly contentType: string
}

/** Facts that are known before the acknowledgement. */
export type Opening = Pick<Press, 'member' | 'caller' | 'guild' | 't' | 'tipping' | 'record'>

/** The target of a menu: a person, or a message and its author. */
export interface MenuOpening extends Omit<Opening, 'record'> {
  readonly channel: string
  readonly message: string | undefined
  readonly person: { readonly id: string; readonly bot: boolean }
}

/** Somebody is typing into an option, and would like to be offered something. */
export interface Typing extends Pick<Asking, 'member' | 'caller' | 'guild' | 't' | 'tipping'> {
  readonly typed: string
  readonly at: Date
}

/** `name` is shown (at most 100 characters), `value` is what the command gets. */
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
      /** Offers at most 25 while somebody types. */
      readonly suggest?: (typing: Typing) => Promise<readonly Suggestion[]>
    }
  | { readonly kind: 'whole'; readonly smallest: number; readonly largest: number }
  | { readonly kind: 'yes-no' }
  | { readonly kind: 'mentionable' }
  | { readonly kind: 'member' }
  /** `ofBots`: also accepts the role of a bot alone; other options refuse it. */
  | { readonly kind: 'role'; readonly ofBots?: true }
  | { readonly kind: 'file' }
)

/** A person or a role that was picked. `ofBot`: Discord made it for a bot, so no member can have it. */
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
