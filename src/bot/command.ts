import type { Logger } from '../lib/logger.ts'
import type { Origin, Tipping } from '../tipping/tipping.ts'
import type { GuildMembers } from './guild-members.ts'
import type { Message } from './message.ts'
import type { Words } from './words.ts'

/** A slash command: what Discord shows of it, and what it does. Names and descriptions are in `words/`. */
export interface Command<O extends Options = Options> {
  readonly name: string
  /** Who sees the answer. Refusals and errors are private in any case. */
  readonly answer: Answer
  /** `server`: only among members of one; `anywhere`: in a private conversation with the bot too. */
  readonly where: 'server' | 'anywhere'
  readonly options: O
  run(call: Call<O>): Promise<Outcome>
}

/** A button: `custom_id` is `verb:record`. Pressing it twice does nothing twice. */
export interface Button {
  readonly verb: string
  readonly answer: Answer
  press(press: Press): Promise<Outcome>
}

export type Answer = 'public' | 'private'

/** The answer: a card, drawn from its record now and whenever that changes; or a message that is said once. */
export type Outcome = { readonly card: string } | { readonly say: Message }

/** Who asks, where, and what it takes to help. */
export interface Asking {
  readonly member: string
  /** What the member is called here. */
  readonly memberName: string
  readonly guild: string | null
  readonly origin: Origin
  /** In the member's language. */
  readonly words: Words
  readonly tipping: Tipping
  readonly members: GuildMembers
  readonly log: Logger
}

export interface Call<O extends Options = Options> extends Asking {
  readonly options: Values<O>
}

export interface Press extends Asking {
  readonly record: string
}

/** A command's options by name, in the order in which Discord offers them: required ones first. */
export type Options = Readonly<Record<string, Option>>

export type Option = {
  readonly required?: true
} & (
  | { readonly kind: 'text'; readonly longest?: number; readonly choices?: readonly string[] }
  | { readonly kind: 'whole'; readonly smallest: number; readonly largest: number }
  | { readonly kind: 'yes-no' }
  | { readonly kind: 'mentionable' }
)

/** A person or a role that was picked. */
export type Mentioned =
  | { readonly kind: 'member'; readonly id: string; readonly bot: boolean }
  | { readonly kind: 'role'; readonly id: string }

/** What a handler gets, computed from the options it declares. */
export type Values<O extends Options> = {
  readonly [Name in keyof O]: O[Name] extends { required: true } ? Value<O[Name]> : Value<O[Name]> | undefined
}

type Value<O extends Option> = O extends { kind: 'text' }
  ? O extends { choices: readonly (infer Choice)[] }
    ? Choice
    : string
  : { whole: number; 'yes-no': boolean; mentionable: Mentioned; text: string }[O['kind']]
