import { isCommandName } from './command-names.ts'
import { charactersOfOptions, checkOptions } from './command-options.ts'
import { Form, isObject, type JsonObject, type Path } from './form.ts'
import { checkLocalisations, longest } from './localisations.ts'

export const commandKind = { chatInput: 1, user: 2, message: 3 } as const

/** How many commands of each kind an application can have, everywhere and additionally in each server. */
export const maxCommands: Readonly<Record<number, number>> = { 1: 100, 2: 15, 3: 15 }

const maxCharacters = 8000

/** A command's checked registration, with Discord's defaults filled in. */
export interface CheckedCommand {
  readonly type: number
  readonly name: string
  readonly nameLocalisations: Readonly<Record<string, string>> | null
  readonly description: string
  readonly descriptionLocalisations: Readonly<Record<string, string>> | null
  readonly options: readonly JsonObject[]
  readonly defaultMemberPermissions: string | null
  readonly contexts: readonly number[] | null
  readonly integrationTypes: readonly number[]
  readonly nsfw: boolean
}

/**
 * Checks the registration of a command. `at` is the command's place in the request: its index in a bulk registration.
 * The rules: https://docs.discord.com/developers/interactions/application-commands
 */
export function checkCommand(form: Form, body: JsonObject, at: Path): CheckedCommand {
  const type = form.choice(body, 'type', at, [1, 2, 3]) ?? commandKind.chatInput
  const chat = type === commandKind.chatInput
  const nameRule = chat ? isCommandName : () => true
  const name = form.text(body, 'name', at, { min: 1, max: 32, required: true }) ?? ''
  if (name !== '' && !nameRule(name))
    form.fault([...at, 'name'], 'APPLICATION_COMMAND_INVALID_NAME', 'Command name is invalid')
  const description = chat
    ? (form.text(body, 'description', at, { min: 1, max: 100, required: true }) ?? '')
    : (form.text(body, 'description', at, { max: 0 }) ?? '')
  if (!chat && Array.isArray(body.options) && body.options.length > 0)
    form.fault([...at, 'options'], 'APPLICATION_COMMAND_OPTIONS_NOT_ALLOWED', 'Only slash commands have options')
  const options = chat ? checkOptions(form, body, at) : []
  const nameLocalisations = checkLocalisations(form, body, 'name_localizations', at, 32, nameRule)
  const descriptionLocalisations = checkLocalisations(form, body, 'description_localizations', at, 100, () => true)
  const characters =
    longest(name, nameLocalisations) + longest(description, descriptionLocalisations) + charactersOfOptions(options)
  if (characters > maxCharacters)
    form.fault(at, 'APPLICATION_COMMAND_TOO_LARGE', `Command exceeds maximum size (${maxCharacters})`)
  return {
    type,
    name,
    nameLocalisations,
    description,
    descriptionLocalisations,
    options,
    defaultMemberPermissions: permissions(form, body, at),
    contexts: numbers(form, body, 'contexts', at, [0, 1, 2]) ?? (body.dm_permission === false ? [0] : null),
    integrationTypes: numbers(form, body, 'integration_types', at, [0, 1]) ?? [0],
    nsfw: form.boolean(body, 'nsfw', at) ?? false,
  }
}

/** Checks a single registration. Throws 50035 with all faults if it has any. */
export function checkOneCommand(body: JsonObject): CheckedCommand {
  const form = new Form()
  const command = checkCommand(form, body, [])
  form.refuse()
  return command
}

/**
 * Checks a bulk registration: every command, and that the names within a kind are unique. Throws 50035 with all faults
 * if it has any.
 */
export function checkAllCommands(bodies: readonly unknown[]): CheckedCommand[] {
  const form = new Form()
  const seen = new Set<string>()
  const checked: CheckedCommand[] = []
  for (const [index, body] of bodies.entries()) {
    const at = [index]
    if (!isObject(body)) {
      form.fault(at, 'DICT_TYPE_CONVERT', 'Only dictionaries may be used in a DictType')
      continue
    }
    const command = checkCommand(form, body, at)
    const key = `${command.type} ${command.name}`
    if (seen.has(key))
      form.fault([...at, 'name'], 'APPLICATION_COMMANDS_DUPLICATE_NAME', 'Application command names must be unique')
    seen.add(key)
    checked.push(command)
  }
  form.refuse()
  return checked
}

function permissions(form: Form, body: JsonObject, at: Path): string | null {
  const value = body.default_member_permissions
  if (value === undefined || value === null) return null
  if ((typeof value === 'string' || typeof value === 'number') && /^\d{1,20}$/.test(String(value))) return String(value)
  form.fault([...at, 'default_member_permissions'], 'NUMBER_TYPE_COERCE', `Value "${String(value)}" is not int.`)
  return null
}

function numbers(
  form: Form,
  body: JsonObject,
  key: string,
  at: Path,
  choices: readonly number[],
): readonly number[] | undefined {
  const value = body[key]
  if (value === undefined || value === null) return undefined
  if (Array.isArray(value) && value.every((item) => choices.includes(item)) && new Set(value).size === value.length)
    return value
  form.fault([...at, key], 'BASE_TYPE_CHOICES', `Value must be one of {${choices.join(', ')}}.`)
  return undefined
}
