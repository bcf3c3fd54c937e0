import {
  type APIModalInteractionResponseCallbackData,
  type APISelectMenuOption,
  type ButtonInteraction,
  type ChatInputCommandInteraction,
  ComponentType,
  type ContextMenuCommandInteraction,
  type InteractionReplyOptions,
  type MessageComponentInteraction,
  MessageFlags,
  TextInputStyle,
} from 'discord.js'
import { requestFor } from '../messages/message.ts'
import { CommandRefusal } from '../refusals/command-refusal.ts'
import { refusalOf } from '../refusals/explanation.ts'
import type { Form, FormButton, FormField, MenuCommand, MenuOpening, Opening } from './command.ts'
import { interactionContextOf, whyNotAllowed } from './command-rights.ts'
import { guildOf, isGuest } from './guest.ts'
import { commandNameOf, readOptions, splitCustomId } from './handlers.ts'
import { localeOf, memberContextOf } from './member-context.ts'
import { menuName } from './registration.ts'
import type { RouterOptions } from './router-options.ts'
import { mustBeHere } from './same-server.ts'

/** The longest text for which a form's field has only one line. */
const ONE_LINE = 100

/** Opens the forms of buttons, commands, and the menus of messages and people. */
export interface Forms {
  /**
   * Opens the form of a button or command; undefined if the button or command needs no form. The promise never rejects.
   */
  of(interaction: ChatInputCommandInteraction | MessageComponentInteraction): Promise<void> | undefined
  /** Opens the form of a menu's command. The promise never rejects. */
  ofMenu(interaction: ContextMenuCommandInteraction): Promise<void>
}

type Opener = ButtonInteraction | ContextMenuCommandInteraction | ChatInputCommandInteraction

type FormsOptions = Pick<
  RouterOptions,
  'commands' | 'buttons' | 'menuCommands' | 'tipping' | 'translatorFor' | 'threadOf' | 'homeGuildId' | 'log'
>

export function createForms(options: FormsOptions): Forms {
  const openers = new Map<string, FormButton>()
  for (const button of options.buttons) if ('open' in button) openers.set(button.verb, button)
  const asking = new Map(options.commands.flatMap((each) => (each.form === undefined ? [] : [[each.name, each]])))
  const menus = new Map(options.menuCommands.map((menu) => [menuName(menu), menu]))
  function ofCommand(interaction: ChatInputCommandInteraction): Promise<void> | undefined {
    const command = asking.get(commandNameOf(interaction))
    const t = options.translatorFor(localeOf(interaction, options.tipping))
    const form = command?.form?.({ options: readOptions(interaction, command), t, tipping: options.tipping })
    if (command === undefined || form === undefined) return undefined
    return show(interaction, command.name, options, async () => {
      const why = await whyNotAllowed(command, interactionContextOf(interaction, options))
      if (why !== undefined) throw why
      return form
    })
  }

  return {
    of(interaction) {
      if (interaction.isChatInputCommand()) return ofCommand(interaction)
      const [verb, record] = splitCustomId(interaction.customId)
      const button = openers.get(verb)
      if (button === undefined || !interaction.isButton()) return undefined
      return show(interaction, verb, options, async (opening) => {
        await mustBeHere(button.names, { ...opening, record })
        return await button.open({ ...opening, record })
      })
    },
    ofMenu(interaction) {
      const menu = menus.get(interaction.commandName)
      return show(interaction, interaction.commandName, options, async (opening) => {
        if (menu === undefined) throw new CommandRefusal('commandRefusals.stale-command')
        const why = await whyNotAllowed(
          isGuest(interaction)
            ? { answer: 'public', where: 'anywhere' }
            : { answer: 'public', where: 'server', announces: menu.announces },
          interactionContextOf(interaction, options),
        )
        if (why !== undefined) throw why
        return await openMenu(interaction, menu, opening)
      })
    },
  }
}

function openMenu(
  interaction: ContextMenuCommandInteraction,
  menu: MenuCommand,
  opening: Omit<Opening, 'record'>,
): Promise<Form> {
  return menu.open({ ...opening, ...targetOf(interaction) })
}

function targetOf(interaction: ContextMenuCommandInteraction): Pick<MenuOpening, 'channel' | 'message' | 'person'> {
  const channel = interaction.channelId ?? ''
  if (interaction.isMessageContextMenuCommand()) {
    const { id, author, webhookId } = interaction.targetMessage
    return { channel, message: id, person: { id: author.id, bot: author.bot || webhookId !== null } }
  }
  const user = interaction.isUserContextMenuCommand() ? interaction.targetUser : undefined
  if (user === undefined) throw new CommandRefusal('commandRefusals.stale-command')
  return { channel, message: undefined, person: { id: user.id, bot: user.bot } }
}

async function show(
  interaction: Opener,
  name: string,
  { tipping, translatorFor, log }: Pick<RouterOptions, 'tipping' | 'translatorFor' | 'log'>,
  open: (opening: Omit<Opening, 'record'>) => Form | Promise<Form>,
): Promise<void> {
  const t = translatorFor(localeOf(interaction, tipping))
  const about = log.child({ interaction: interaction.id, command: name })
  try {
    const { user } = interaction
    const caller = memberContextOf(interaction, tipping)
    const opening = async () => await open({ member: user.id, caller, guild: guildOf(interaction), t, tipping })
    const form = await opening().catch(async (error: unknown) => {
      const { body } = requestFor(refusalOf(error, t, { log: about, application: interaction.applicationId, caller }))
      await interaction.reply({ ...(body as InteractionReplyOptions), flags: MessageFlags.Ephemeral })
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
      component: controlFor(field),
    })),
  }
}

function controlFor(field: FormField) {
  const shared = { custom_id: field.name, required: field.optional !== true }
  if ('choices' in field) {
    const options = field.choices.map(
      ({ value, label, chosen = false }): APISelectMenuOption => ({ value, label, default: chosen }),
    )
    return { type: ComponentType.StringSelect as const, ...shared, options }
  }
  if ('radios' in field) {
    const options = field.radios.map(({ value, label, chosen = false }) => ({ value, label, default: chosen }))
    return { type: ComponentType.RadioGroup as const, ...shared, options }
  }
  if ('picks' in field) {
    const { picks, most = 1 } = field
    const type = picks === 'role' ? (ComponentType.RoleSelect as const) : (ComponentType.UserSelect as const)
    return { type, ...shared, max_values: most }
  }
  if ('upload' in field) return { type: ComponentType.FileUpload as const, ...shared, max_values: 1 }
  return {
    type: ComponentType.TextInput as const,
    ...shared,
    style: field.longest > ONE_LINE ? TextInputStyle.Paragraph : TextInputStyle.Short,
    max_length: field.longest,
    ...(field.value === undefined ? {} : { value: field.value }),
  }
}
