import {
  type ChatInputCommandInteraction,
  type CommandInteractionOption,
  ComponentType,
  type MessageComponentInteraction,
  type ModalSubmitInteraction,
} from 'discord.js'

/** An interaction whose answer is a message. */
export type Answerable = ChatInputCommandInteraction | MessageComponentInteraction | ModalSubmitInteraction

/** A typed text, with the name of its option or field. */
export interface Typed {
  readonly name: string
  readonly text: string
}

/** Returns the texts that were typed into a command's options or a form. */
export function typedIn(interaction: Answerable): Typed[] {
  if (interaction.isChatInputCommand()) return interaction.options.data.flatMap(typedInOption)
  if (!interaction.isModalSubmit()) return []
  return [...interaction.fields.fields.values()].map((field) => ({
    name: field.customId,
    text: field.type === ComponentType.TextInput ? field.value : '',
  }))
}

function typedInOption({ name, value, options = [] }: CommandInteractionOption): Typed[] {
  return [...(typeof value === 'string' ? [{ name, text: value }] : []), ...options.flatMap(typedInOption)]
}
