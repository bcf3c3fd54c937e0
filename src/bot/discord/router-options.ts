import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import type { Tipping } from '../../tipping/tipping.ts'
import type { CardBoard } from '../cards/card-board.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Button, Choice, Command, FormButton, FormReply, MenuCommand } from './command.ts'
import type { GuildMembers } from './guild-members.ts'
import type { Messenger } from './messenger.ts'

/** What the router and its parts work with. */
export interface RouterOptions {
  readonly commands: readonly Command[]
  readonly buttons: readonly (Button | FormButton)[]
  readonly choices: readonly Choice[]
  readonly menuCommands: readonly MenuCommand[]
  readonly formReplies: readonly FormReply[]
  readonly board: CardBoard
  readonly messenger: Messenger
  readonly tipping: Tipping
  readonly members: GuildMembers
  readonly translatorFor: (locale: string) => Translator
  /** The operators' own server, where there is one. */
  readonly homeGuildId: string | undefined
  readonly clock: Clock
  readonly log: Logger
}
