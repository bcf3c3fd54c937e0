import { holdsConnection } from '../../lib/nostr/wallet-connect/connection.ts'
import { CommandRefusal } from '../refusals/command-refusal.ts'
import type { Answerable, Handler } from './handlers.ts'
import { typedIn } from './typed.ts'

/** Whether somebody typed the key to their wallet into Discord, in an option or a form's field. */
export function holdsConnectionText(interaction: Answerable): boolean {
  return typedIn(interaction).some(({ text }) => holdsConnection(text))
}

/** Nothing of the command is done: how to revoke the connection is said privately. */
export function refusing(interaction: Answerable): Handler {
  const why = new CommandRefusal('commandRefusals.connection-posted')
  const name = interaction.isChatInputCommand() ? interaction.commandName : 'form'
  return { name, answer: 'private', run: () => Promise.reject(why) }
}
