import { isCommandName } from './command-names.ts'
import { type Form, type JsonObject, lengthOf, type Path } from './form.ts'
import { checkLocalisations, longest } from './localisations.ts'

export const optionKind = {
  subcommand: 1,
  group: 2,
  string: 3,
  integer: 4,
  boolean: 5,
  user: 6,
  channel: 7,
  role: 8,
  mentionable: 9,
  number: 10,
  attachment: 11,
} as const

const maxOptions = 25
const nested: readonly number[] = [optionKind.subcommand, optionKind.group]
const typed: readonly number[] = [optionKind.string, optionKind.integer, optionKind.number]
/** The largest number that is allowed. Up to this number, a double represents every whole number exactly. */
const largest = 2 ** 53

/** Checks the options of a command (`depth` 0), a subcommand group or a subcommand, and returns them. */
export function checkOptions(form: Form, holder: JsonObject, at: Path, depth = 0): readonly JsonObject[] {
  const options = form.objects(holder, 'options', at, { max: maxOptions }) ?? []
  const names = new Set<string>()
  let optionalSeen = false
  for (const [option, path] of options) {
    const type = checkOption(form, option, path, depth)
    if (typeof option.name === 'string') {
      if (names.has(option.name))
        form.fault(
          [...path, 'name'],
          'APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS',
          'Option name already exists in these options',
        )
      names.add(option.name)
    }
    if (type !== undefined && !nested.includes(type)) {
      if (option.required !== true) optionalSeen = true
      else if (optionalSeen)
        form.fault(
          path,
          'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID',
          'Required options must be placed before non-required options',
        )
    }
  }
  const kinds = new Set(options.map(([option]) => nested.includes(option.type as number)))
  if (kinds.size > 1)
    form.fault(
      [...at, 'options'],
      'APPLICATION_COMMAND_OPTIONS_TYPE_INVALID',
      'Sub-command and sub-command group option types are mutually exclusive to all other types',
    )
  return options.map(([option]) => option)
}

function checkOption(form: Form, option: JsonObject, at: Path, depth: number): number | undefined {
  const type = form.choice(option, 'type', at, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], { required: true })
  const name = form.text(option, 'name', at, { min: 1, max: 32, required: true })
  if (name !== undefined && name !== '' && !isCommandName(name))
    form.fault([...at, 'name'], 'APPLICATION_COMMAND_INVALID_NAME', 'Command name is invalid')
  form.text(option, 'description', at, { min: 1, max: 100, required: true })
  checkLocalisations(form, option, 'name_localizations', at, 32, isCommandName)
  checkLocalisations(form, option, 'description_localizations', at, 100, () => true)
  form.boolean(option, 'required', at)
  if (type === undefined) return undefined
  if (type === optionKind.group ? depth > 0 : type === optionKind.subcommand && depth > 1)
    form.fault([...at, 'type'], 'APPLICATION_COMMAND_OPTIONS_TYPE_INVALID', 'Sub-commands nest at most one group deep')
  else if (nested.includes(type)) {
    const children = checkOptions(form, option, at, type === optionKind.group ? 1 : 2)
    if (type === optionKind.group && children.some((child) => child.type !== optionKind.subcommand))
      form.fault(
        [...at, 'options'],
        'APPLICATION_COMMAND_OPTIONS_TYPE_INVALID',
        'A sub-command group can only contain sub-commands',
      )
  } else checkValueRules(form, option, at, type)
  return type
}

/**
 * Checks the fields that restrict an option's values: choices or autocomplete, minimum and maximum, lengths, and kinds
 * of channels.
 */
function checkValueRules(form: Form, option: JsonObject, at: Path, type: number): void {
  const autocomplete = form.boolean(option, 'autocomplete', at) ?? false
  const choices = checkChoices(form, option, at, type)
  if (autocomplete && choices > 0)
    form.fault(
      [...at, 'autocomplete'],
      'APPLICATION_COMMAND_OPTION_AUTOCOMPLETE_WITH_CHOICES',
      'Autocomplete cannot be set with choices',
    )
  if (autocomplete && !typed.includes(type)) notForType(form, [...at, 'autocomplete'])
  const numeric = type === optionKind.integer || type === optionKind.number
  for (const key of ['min_value', 'max_value']) {
    if (form.number(option, key, at, { min: -largest, max: largest }) !== undefined && !numeric)
      notForType(form, [...at, key])
  }
  for (const [key, min] of [
    ['min_length', 0],
    ['max_length', 1],
  ] as const) {
    if (form.integer(option, key, at, { min, max: 6000 }) !== undefined && type !== optionKind.string)
      notForType(form, [...at, key])
  }
  if (Array.isArray(option.channel_types) && option.channel_types.length > 0 && type !== optionKind.channel)
    notForType(form, [...at, 'channel_types'])
}

function notForType(form: Form, path: Path): void {
  form.fault(path, 'APPLICATION_COMMAND_OPTION_TYPE_FIELD_INVALID', 'This field is not valid for this type of option')
}

function checkChoices(form: Form, option: JsonObject, at: Path, type: number): number {
  const choices = form.objects(option, 'choices', at, { max: 25 }) ?? []
  if (choices.length > 0 && !typed.includes(type)) notForType(form, [...at, 'choices'])
  const names = new Set<string>()
  for (const [choice, path] of choices) {
    const name = form.text(choice, 'name', path, { min: 1, max: 100, required: true })
    checkLocalisations(form, choice, 'name_localizations', path, 100, () => true)
    if (name !== undefined && names.has(name))
      form.fault(
        [...path, 'name'],
        'APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_ALREADY_EXISTS',
        'Option choice name already exists',
      )
    if (name !== undefined) names.add(name)
    if (type === optionKind.string) form.text(choice, 'value', path, { min: 1, max: 100, required: true })
    else if (type === optionKind.integer)
      form.integer(choice, 'value', path, { min: -largest, max: largest, required: true })
    else form.number(choice, 'value', path, { min: -largest, max: largest, required: true })
  }
  return choices.length
}

/**
 * Counts the characters of options that count towards a command's limit of 8000: names, descriptions and values, each
 * in its longest language.
 */
export function charactersOfOptions(options: readonly JsonObject[]): number {
  let count = 0
  for (const option of options) {
    count += longest(text(option.name), localised(option.name_localizations))
    count += longest(text(option.description), localised(option.description_localizations))
    for (const choice of (option.choices as JsonObject[] | undefined) ?? []) {
      count += longest(text(choice.name), localised(choice.name_localizations))
      count += lengthOf(String(choice.value))
    }
    if (Array.isArray(option.options)) count += charactersOfOptions(option.options)
  }
  return count
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function localised(value: unknown): Record<string, string> | null {
  return typeof value === 'object' && value !== null ? (value as Record<string, string>) : null
}
