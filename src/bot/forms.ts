import {
  type APIModalInteractionResponseCallbackData,
  type ButtonInteraction,
  ComponentType,
  MessageFlags,
  TextInputStyle,
} from 'discord.js'
import type { Form, FormButton } from './command.ts'
import { splitCustomId } from './errands.ts'
import { explanation } from './explanation.ts'
import { refusal } from './look.ts'
import type { RouterOptions } from './router-options.ts'
import { standingOf } from './standing.ts'

/** More than a line fits no line. */
const ONE_LINE = 100

/** Opens the forms that some buttons ask for. */
export interface Forms {
  /** Undefined when the button opens none. The promise never rejects. */
  of(interaction: ButtonInteraction): Promise<void> | undefined
}

export function createForms(options: RouterOptions): Forms {
  const openers = new Map<string, FormButton>()
  for (const button of options.buttons) if ('open' in button) openers.set(button.verb, button)
  return {
    of(interaction) {
      const [verb, record] = splitCustomId(interaction.customId)
      const button = openers.get(verb)
      return button === undefined ? undefined : open(interaction, button, record, options)
    },
  }
}

async function open(
  interaction: ButtonInteraction,
  button: FormButton,
  record: string,
  { tipping, wordsFor, log }: RouterOptions,
): Promise<void> {
  const words = wordsFor(interaction.locale)
  const about = log.child({ interaction: interaction.id, command: button.verb })
  try {
    const { user, guildId } = interaction
    const opening = { member: user.id, standing: standingOf(interaction), guild: guildId, words, tipping, record }
    const form = await button.open(opening).catch(async (error: unknown) => {
      const { embeds = [] } = refusal(explanation(error, words, about))
      await interaction.reply({ embeds, flags: MessageFlags.Ephemeral })
    })
    if (form) await interaction.showModal(modalFor(form))
  } catch (error) {
    about.warn({ err: error }, 'not acknowledged, so nothing was done')
  }
}

function modalFor({ verb, record, title, fields }: Form): APIModalInteractionResponseCallbackData {
  return {
    custom_id: `${verb}:${record}`,
    title,
    components: fields.map((field) => ({
      type: ComponentType.Label,
      label: field.label,
      ...(field.hint === undefined ? {} : { description: field.hint }),
      component: {
        type: ComponentType.TextInput,
        custom_id: field.name,
        style: field.longest > ONE_LINE ? TextInputStyle.Paragraph : TextInputStyle.Short,
        max_length: field.longest,
        required: field.optional !== true,
        ...(field.value === undefined ? {} : { value: field.value }),
      },
    })),
  }
}
