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

/** The effects that an acknowledgement has already had. */
export interface Acknowledged {
  /** Whether the answer has notified the people whom the card names. */
  readonly notified?: boolean
  /** The text that the acknowledgement has shown, if the card was the whole answer. */
  readonly written?: Written | undefined
  /** Whether this bot has already given this answer to this interaction, so that the card may already be visible. */
  readonly again?: boolean
  /** The reply that showed the card before it moved into this answer. */
  readonly former?: string | undefined
}

/** The part of the card board that the router needs. */
export interface AnsweringBoard {
  /** Shows a card now. Never throws: a card that cannot be shown yet stays pending and is tried again. */
  show(id: string, acknowledged?: Acknowledged): Promise<void>
  /** Builds the first answer to a tip: the whole answer, or as much as is known before the tip is given. */
  drawFirstAnswer(tip: ForeseenTip, origin: Origin): { readonly message: Message; readonly isWhole: boolean }
  /** Reserves a command's cards while the command is being answered. The returned function releases the cards. */
  reserve(interaction: string): () => void
  /** Shows a member a card privately, below another command's answer. */
  tell(id: string, reply: ReplyToken, t: Translator): Promise<void>
  /** Shows a member, privately and below the present answer, the cards that could not be delivered earlier. */
  tellUntold(member: string, reply: ReplyToken, t: Translator): Promise<void>
}

/** The dependencies of the router and its parts. */
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
  /** Returns the language of the bot's texts for a server. */
  readonly serverLocale: ServerLocale
  readonly links: Links
  /** Returns the thread of an interaction whose channel discord.js has not loaded; undefined outside threads. */
  readonly threadOf: (interaction: object) => { readonly parentId: string | null } | undefined
  /** The operators' own server, if there is one. */
  readonly homeGuildId: string | undefined
  readonly clock: Clock
  readonly log: Logger
}
