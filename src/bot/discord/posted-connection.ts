import { type CommandInteractionOption, ComponentType } from 'discord.js'
import { holdsConnection } from '../../lib/nostr/wallet-connect/connection.ts'
import { CommandRefusal } from './command-refusal.ts'
import type { Answerable, Handler } from './handlers.ts'

/** Whether somebody typed the key to their wallet into Discord, in an option or a form's field. */
export function holdsConnectionText(interaction: Answerable): boolean {
  return typedIn(interaction).some(holdsConnection)
}

function typedIn(interaction: Answerable): string[] {
  if (interaction.isChatInputCommand()) return interaction.options.data.flatMap(typedInOption)
  if (!interaction.isModalSubmit()) return []
  return interaction.fields.fields.map((field) => (field.type === ComponentType.TextInput ? field.value : ''))
}

function typedInOption({ value, options = [] }: CommandInteractionOption): string[] {
  return [...(typeof value === 'string' ? [value] : []), ...options.flatMap(typedInOption)]
}

/** Nothing of the command is done: how to revoke the connection is said privately. */
export function refusing(interaction: Answerable): Handler {
  const why = new CommandRefusal('commandRefusals.connection-posted')
  const name = interaction.isChatInputCommand() ? interaction.commandName : 'form'
  return { name, answer: 'private', run: () => Promise.reject(why) }
}
