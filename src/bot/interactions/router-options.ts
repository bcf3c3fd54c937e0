import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import type { ForeseenTip, Origin, Tipping } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Message } from '../messages/message.ts'
import type { Links } from '../pay-pages/links.ts'
import type { GuildMembers } from '../people/guild-members.ts'
import type { People } from '../people/people.ts'
import type { ServerLocale } from '../people/server-locale.ts'
import type { Messenger, Written } from '../transport/messenger.ts'
import type { ReplyToken } from '../transport/reply-token.ts'
import type { Button, Choice, Command, FormButton, FormReply, MenuCommand } from './command.ts'

/** Effects that an acknowledgement already had. */
export interface Acknowledged {
  /** It has notified those whom the card names. */
  readonly notified?: boolean
  /** It was the whole answer. */
  readonly written?: Written | undefined
  /** It was given by this bot before, for the same interaction: the card may be shown already. */
  readonly again?: boolean
}

/** The router's requests to the board of cards. */
export interface AnsweringBoard {
  /** Shows a card now. Never throws: what cannot be shown yet stays pending and is tried again. */
  show(id: string, acknowledged?: Acknowledged): Promise<void>
  /** The first answer to a tip: all of it, or as much as is known before it is given. */
  drawFirstAnswer(tip: ForeseenTip, origin: Origin): { readonly message: Message; readonly isWhole: boolean }
  /** While a command is being answered, its cards are left to it. The returned function ends that. */
  reserve(interaction: string): () => void
  /** Shows a member their card privately, under the answer to another command. */
  tell(id: string, reply: ReplyToken, t: Translator): Promise<void>
  /** Tells a member privately, under their present command, what could not be delivered earlier. */
  tellUntold(member: string, reply: ReplyToken, t: Translator): Promise<void>
}

/** Dependencies of the router and its parts. */
export interface RouterOptions {
  readonly commands: readonly Command[]
  readonly buttons: readonly (Button | FormButton)[]
  readonly choices: readonly Choice[]
  readonly menuCommands: readonly MenuCommand[]
  readonly formReplies: readonly FormReply[]
  readonly board: AnsweringBoard
  readonly messenger: Messenger
  readonly tipping: Tipping
  readonly members: GuildMembers
  readonly people: People
  readonly translatorFor: (locale: string) => Translator
  /** The language that a server is spoken to in. */
  readonly serverLocale: ServerLocale
  readonly links: Links
  /** The thread of an interaction whose channel discord.js does not know; undefined if it took place in none. */
  readonly threadOf: (interaction: object) => { readonly parentId: string | null } | undefined
  /** The operators' own server, where there is one. */
  readonly homeGuildId: string | undefined
  readonly clock: Clock
  readonly log: Logger
}
