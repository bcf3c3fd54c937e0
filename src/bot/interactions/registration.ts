import { DiscordAPIError, type REST } from '@discordjs/rest'
import {
  type APIApplicationCommandBasicOption,
  type APIApplicationCommandSubcommandOption,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  type Client,
  Events,
  InteractionContextType,
  type LocalizationMap,
  PermissionFlagsBits,
  RESTJSONErrorCodes,
  type RESTPostAPIChatInputApplicationCommandsJSONBody,
  type RESTPostAPIContextMenuApplicationCommandsJSONBody,
  type RESTPutAPIApplicationCommandsResult,
  Routes,
} from 'discord.js'
import type { Logger } from '../../lib/logger.ts'
import { Problem } from '../../lib/problem.ts'
import { type CommandIds, type Language, languages } from '../i18n/languages.ts'
import type { Command, MenuCommand, Option } from './command.ts'

/**
 * The places where commands are registered. `installable`: whether people can install the application for themselves.
 */
export interface RegistrationScope {
  readonly application: string
  readonly installable: boolean
  readonly guild: string | undefined
  readonly home: string | undefined
}

/**
 * Registers the commands with Discord, everywhere or only in one server, and the operators' commands only in their own
 * server. Replaces all commands that were registered before. With only one server, no commands stay registered
 * everywhere, because Discord would list them twice. Resolves to the slash commands' ids. Throws Problem for a server
 * in which Discord does not permit the registration.
 */
export async function registerCommands(
  rest: REST,
  { commands, menuCommands }: { commands: readonly Command[]; menuCommands: readonly MenuCommand[] },
  { application, installable: isInstallable, guild, home }: RegistrationScope,
): Promise<CommandIds> {
  const own = registered(commands.filter(({ where }) => where === 'home'))
  // With one server, nobody can have a command elsewhere.
  const installable = guild === undefined && isInstallable
  const everybodys = commands.filter(({ where }) => where !== 'home')
  const all = [...registered(everybodys, installable), ...registeredMenus(menuCommands, installable)]
  const put = async (server: string | undefined, body: readonly unknown[]) => {
    const global = Routes.applicationCommands(application)
    const route = server === undefined ? global : Routes.applicationGuildCommands(application, server)
    return (await rest.put(route, { body })) as RESTPutAPIApplicationCommandsResult
  }
  const isOneServer = home !== undefined && home === guild
  const known = await put(guild, isOneServer ? [...all, ...own] : all).catch(explained('DISCORD_GUILD_ID'))
  if (guild !== undefined) await put(undefined, [])
  if (home !== undefined && !isOneServer) known.push(...(await put(home, own).catch(explained('HOME_GUILD_ID'))))
  const slash = known.filter(({ type }) => type === ApplicationCommandType.ChatInput)
  return new Map(slash.map(({ name, id }) => [name, id]))
}

/**
 * Removes the commands that an earlier start left in a server, because DISCORD_GUILD_ID or HOME_GUILD_ID has changed
 * since, as soon as somebody uses one of these commands. Discord reports where a used command is registered, and lists
 * an old command beside the one that is registered everywhere.
 */
export function removeLeftCommands(
  client: Pick<Client, 'on'>,
  rest: REST,
  { application, guild, home }: Pick<RegistrationScope, 'guild' | 'home'> & { readonly application: () => string },
  log: Logger,
): void {
  const removed = new Set([guild, home])
  client.on(Events.InteractionCreate, (interaction) => {
    if (!interaction.isCommand() || interaction.commandGuildId === null) return
    const { commandGuildId: left } = interaction
    if (removed.has(left)) return
    removed.add(left)
    rest.put(Routes.applicationGuildCommands(application(), left), { body: [] }).then(
      () => log.info({ guild: left }, 'commands that an earlier start left in a server were removed'),
      (error: unknown) => log.warn({ err: error, guild: left }, 'commands left in a server could not be removed'),
    )
  })
}

/**
 * Returns the function that rethrows Discord's error, or, if the cause is the server in this variable, throws Problem
 * with an explanation.
 */
function explained(variable: string): (error: unknown) => never {
  return (error) => {
    const ours: unknown[] = [RESTJSONErrorCodes.UnknownGuild, RESTJSONErrorCodes.MissingAccess]
    if (!(error instanceof DiscordAPIError) || !ours.includes(error.code)) throw error
    throw new Problem(
      `${variable} names a server that the bot is not in. Invite the bot there, or correct the id: in Discord, switch on Developer Mode, ` +
        `right-click the server, and choose Copy Server ID. Example: ${variable}=123456789012345678`,
      { cause: error },
    )
  }
}

/** Returns the commands in Discord's form, with names and descriptions in every language. */
export function registered(
  commands: readonly Command[],
  installable = false,
): RESTPostAPIChatInputApplicationCommandsJSONBody[] {
  const families = Map.groupBy(commands, ({ name }) => name.split(' ')[0] ?? '')
  return [...families].map(([name, family]) => {
    const path = ['commands', name]
    const [only] = family
    const isAlone = only?.name === name
    return {
      type: ApplicationCommandType.ChatInput,
      ...named(path),
      ...described(path),
      options: isAlone ? registeredOptions(path, only) : family.map(registeredSubcommand),
      ...(family.every(({ where }) => where === 'home')
        ? { default_member_permissions: PermissionFlagsBits.Administrator.toString() }
        : {}),
      // Discord checks this for the family as a whole. The router checks each command again.
      ...placesOf({
        privately: family.some(({ where }) => where === 'anywhere'),
        guests: installable && family.every(({ guests }) => guests === true),
      }),
      ...(family.every(({ moderators }) => moderators === true)
        ? { default_member_permissions: PermissionFlagsBits.ManageGuild.toString() }
        : {}),
    }
  })
}

/** Returns the commands in the menus of messages and people, in Discord's form. */
export function registeredMenus(
  menus: readonly MenuCommand[],
  installable = false,
): RESTPostAPIContextMenuApplicationCommandsJSONBody[] {
  return menus.map(({ name, on }) => ({
    type: on === 'message' ? ApplicationCommandType.Message : ApplicationCommandType.User,
    ...named(['menus', name]),
    ...placesOf({ privately: false, guests: installable }),
  }))
}

/** Returns where Discord offers a command, and after which kinds of installation. */
function placesOf({ privately, guests }: { privately: boolean; guests: boolean }) {
  const { GuildInstall, UserInstall } = ApplicationIntegrationType
  const { Guild, BotDM, PrivateChannel } = InteractionContextType
  return {
    integration_types: guests ? [GuildInstall, UserInstall] : [GuildInstall],
    contexts: [Guild, ...(privately ? [BotDM] : []), ...(guests ? [PrivateChannel] : [])],
  }
}

/** Returns the English name of a menu's command at Discord. */
export function menuName({ name }: MenuCommand): string {
  return named(['menus', name]).name
}

/** Returns a subcommand in Discord's form. The texts of `voucher create` are at `commands.voucher.verbs.create`. */
function registeredSubcommand(command: Command): APIApplicationCommandSubcommandOption {
  const [family = '', verb = ''] = command.name.split(' ')
  const path = ['commands', family, 'verbs', verb]
  return {
    type: ApplicationCommandOptionType.Subcommand,
    ...named(path),
    ...described(path),
    options: registeredOptions(path, command),
  }
}

/**
 * Returns a command's options in Discord's form: required options first, as Discord demands, and otherwise in the
 * declared order.
 */
function registeredOptions(path: readonly string[], { options }: Command): APIApplicationCommandBasicOption[] {
  return Object.entries(options)
    .sort(([, one], [, other]) => Number(other.required ?? false) - Number(one.required ?? false))
    .map(([name, option]) => registeredOption([...path, 'options', name], option))
}

function registeredOption(path: readonly string[], option: Option): APIApplicationCommandBasicOption {
  const shared = { ...named(path), ...described(path), required: option.required ?? false }
  switch (option.kind) {
    case 'text': {
      const choices = option.choices?.map((value) => {
        const { text, localisations } = localised([...path, 'choices', value])
        return { name: text, name_localizations: localisations, value }
      })
      if (choices !== undefined) return { type: ApplicationCommandOptionType.String, ...shared, choices }
      const autocomplete = option.suggest === undefined ? {} : { autocomplete: true as const }
      return { type: ApplicationCommandOptionType.String, ...shared, max_length: option.longest, ...autocomplete }
    }
    case 'whole': {
      const { smallest, largest } = option
      return { type: ApplicationCommandOptionType.Integer, ...shared, min_value: smallest, max_value: largest }
    }
    case 'yes-no':
      return { type: ApplicationCommandOptionType.Boolean, ...shared }
    case 'mentionable':
      return { type: ApplicationCommandOptionType.Mentionable, ...shared }
    case 'member':
      return { type: ApplicationCommandOptionType.User, ...shared }
    case 'role':
      return { type: ApplicationCommandOptionType.Role, ...shared }
    case 'file':
      return { type: ApplicationCommandOptionType.Attachment, ...shared }
    default:
      return option satisfies never
  }
}

function named(path: readonly string[]) {
  const { text, localisations } = localised([...path, 'name'])
  return { name: text, name_localizations: localisations }
}

function described(path: readonly string[]) {
  const { text, localisations } = localised([...path, 'description'])
  return { description: text, description_localizations: localisations }
}

/** Returns a text in English, and in each other language under all of Discord's locales for that language. */
function localised(path: readonly string[]): { text: string; localisations: LocalizationMap } {
  const [original, ...others] = languages
  const localisations: Record<string, string> = {}
  for (const language of others) for (const name of language.discord) localisations[name] = textAt(language, path)
  return { text: textAt(original, path), localisations }
}

function textAt({ code, vocabulary }: Language, path: readonly string[]): string {
  const text = path.reduce<unknown>((node, step) => (node as Record<string, unknown> | undefined)?.[step], vocabulary)
  if (typeof text !== 'string') throw new Error(`the language ${code} has no text ${path.join('.')}`)
  return text
}

/** A command in the documentation's list. */
export interface CommandDescription {
  readonly name: string
  readonly description: string
  readonly answer: Command['answer']
  readonly where: Command['where']
  readonly moderators: boolean
  readonly options: readonly { readonly name: string; readonly description: string; readonly required: boolean }[]
}

/** Describes the registered commands in English, for `docs/COMMANDS.md`. */
export function describeCommands(commands: readonly Command[]): CommandDescription[] {
  return commands.map((command) => {
    const [family = '', verb] = command.name.split(' ')
    const path = ['commands', family, ...(verb === undefined ? [] : ['verbs', verb])]
    return {
      name: command.name,
      description: described(path).description,
      answer: command.answer,
      where: command.where,
      moderators: command.moderators ?? false,
      options: registeredOptions(path, command).map(({ name, description, required = false }) => ({
        name,
        description,
        required,
      })),
    }
  })
}
