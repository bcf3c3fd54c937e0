import type { Core } from '../core/core.ts'
import { optionKind } from '../rules/command-options.ts'
import { commandKind } from '../rules/commands.ts'
import type { JsonObject } from '../rules/form.ts'
import type { ChoiceView, CommandView, OptionView } from '../views.ts'
import { channelPermissions, permission } from '../world/permissions.ts'
import { type ChannelRecord, type CommandRecord, channelKind } from '../world/records.ts'
import { NotPossible } from './not-possible.ts'

/** A command, or one of its subcommands, with the options that a person fills in. */
export interface Runnable {
  readonly command: CommandRecord
  /** The command's name and those of its subcommands, for example `['voucher', 'create']`. */
  readonly path: readonly string[]
  readonly description: string
  readonly label: string
  readonly options: readonly JsonObject[]
}

/**
 * Returns the commands that a person can use in a channel: those registered for this server and those registered
 * everywhere, even if they have the same name, as far as the kind of channel and the person's permissions allow. In an
 * archived thread there are none.
 * https://docs.discord.com/developers/interactions/application-commands#registering-a-command
 */
export function usableCommands(core: Core, userId: string, channel: ChannelRecord): CommandRecord[] {
  const { world } = core
  const own = channel.guildId === null ? [] : world.commandsOf(channel.guildId)
  if (channel.thread?.archived) return []
  return [...own, ...world.commandsOf(null)].filter((command) => mayUse(core, userId, channel, command))
}

function mayUse(core: Core, userId: string, channel: ChannelRecord, command: CommandRecord): boolean {
  if (channel.guildId === null) {
    const withBot = channel.type === channelKind.dm && channel.recipientIds.includes(core.world.applicationId)
    if (!withBot) return isOwnInstall(core, userId, command, 2)
    return command.contexts === null || command.contexts.includes(1)
  }
  const guild = core.world.guilds.get(channel.guildId)
  if (guild?.hasApplication !== true) return isOwnInstall(core, userId, command, 0)
  if (command.contexts !== null && !command.contexts.includes(0)) return false
  const bits = channelPermissions(core.world, channel, userId)
  if ((bits & permission.useApplicationCommands) === 0n) return false
  if ((bits & permission.administrator) !== 0n || command.defaultMemberPermissions === null) return true
  const needed = BigInt(command.defaultMemberPermissions)
  return needed !== 0n && (bits & needed) === needed
}

/**
 * Whether a person can use a command where the bot is not a member, because they have installed the application for
 * themselves.
 */
function isOwnInstall(core: Core, userId: string, command: CommandRecord, context: number): boolean {
  const installed = command.guildId === null && core.world.userInstalls.has(userId)
  return installed && command.integrationTypes.includes(1) && (command.contexts ?? [0, 1, 2]).includes(context)
}

/** Returns the picker's entries for a command: one for each subcommand, or one for the command itself. */
export function runnables(command: CommandRecord, locale: string): Runnable[] {
  const { options } = command
  const name = localised(command.nameLocalisations, locale) ?? command.name
  const own = {
    command,
    path: [command.name],
    description: localised(command.descriptionLocalisations, locale) ?? command.description,
    label: name,
    options,
  }
  const [first] = options
  const nested = first?.type === optionKind.subcommand || first?.type === optionKind.group
  return nested ? below(own, options, locale) : [own]
}

function below(parent: Runnable, options: readonly JsonObject[], locale: string): Runnable[] {
  return options.flatMap((option) => {
    const children = (option.options as JsonObject[] | undefined) ?? []
    const own = {
      command: parent.command,
      path: [...parent.path, String(option.name)],
      description: localised(option.description_localizations, locale) ?? String(option.description),
      label: `${parent.label} ${localised(option.name_localizations, locale) ?? String(option.name)}`,
      options: children,
    }
    return option.type === optionKind.group ? below(own, children, locale) : [own]
  })
}

/**
 * Finds a command by its path, such as `voucher create`. Throws NotPossible if the person cannot use the command here.
 */
export function findRunnable(core: Core, userId: string, channel: ChannelRecord, path: string): Runnable {
  const wanted = path.trim().replace(/^\//, '')
  for (const command of usableCommands(core, userId, channel)) {
    if (command.type !== commandKind.chatInput || command.name !== wanted.split(' ', 1)[0]) continue
    const found = runnables(command, 'en-US').find((each) => each.path.join(' ') === wanted)
    if (found !== undefined) return found
  }
  throw new NotPossible(`There is no command /${wanted} that you can use here.`)
}

const kindNames: Readonly<Record<number, CommandView['kind']>> = { 1: 'slash', 2: 'user', 3: 'message' }
const optionNames: Readonly<Record<number, OptionView['type']>> = {
  3: 'string',
  4: 'integer',
  5: 'boolean',
  6: 'user',
  7: 'channel',
  8: 'role',
  9: 'mentionable',
  10: 'number',
  11: 'attachment',
}

/** Describes an entry of the picker in the person's language. */
export function commandView(runnable: Runnable, locale: string): CommandView {
  return {
    id: runnable.command.id,
    kind: kindNames[runnable.command.type] ?? 'slash',
    path: runnable.path.join(' '),
    label: runnable.label,
    description: runnable.description,
    options: runnable.options.map((option) => optionView(option, locale)),
  }
}

function optionView(option: JsonObject, locale: string): OptionView {
  const number = (key: string) => (typeof option[key] === 'number' ? option[key] : null)
  const choices = (option.choices as JsonObject[] | undefined) ?? []
  return {
    name: String(option.name),
    description: localised(option.description_localizations, locale) ?? String(option.description),
    type: optionNames[Number(option.type)] ?? 'string',
    required: option.required === true,
    autocomplete: option.autocomplete === true,
    choices: choices.map((choice) => ({
      name: localised(choice.name_localizations, locale) ?? String(choice.name),
      value: choice.value as ChoiceView['value'],
    })),
    min: number('min_value'),
    max: number('max_value'),
    minLength: number('min_length'),
    maxLength: number('max_length'),
  }
}

function localised(texts: unknown, locale: string): string | undefined {
  if (typeof texts !== 'object' || texts === null) return undefined
  return (texts as Record<string, string>)[locale]
}
