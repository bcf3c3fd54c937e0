import type { Core } from '../core/core.ts'
import { optionKind } from '../rules/command-options.ts'
import { type JsonObject, lengthOf } from '../rules/form.ts'
import type { ChannelRecord } from '../world/records.ts'
import { NotPossible } from './not-possible.ts'
import type { Runnable } from './picker.ts'
import { type Resolved, withMentions } from './resolved.ts'

/**
 * What a person typed for each option: people, roles and channels as ids, mentions or `@name`; numbers as numbers or
 * text; files as `data:` addresses.
 */
export type OptionValues = Readonly<Record<string, string | number | boolean | undefined>>

/**
 * Checks all options of a command as the client does before it sends the command. Throws `NotPossible` with an option's
 * name if its value is not allowed.
 */
export function checkValues(
  core: Core,
  channel: ChannelRecord,
  runnable: Runnable,
  values: OptionValues,
  resolved: Resolved,
): JsonObject[] {
  for (const name of Object.keys(values))
    if (values[name] !== undefined && !runnable.options.some((option) => option.name === name))
      throw new NotPossible(`/${runnable.path.join(' ')} has no option ${name}.`, name)
  return runnable.options.flatMap((option) => {
    const name = String(option.name)
    const value = values[name]
    if (value === undefined || value === '') {
      if (option.required === true) throw new NotPossible('This option is required. Specify a value.', name)
      return []
    }
    return [{ name, type: option.type, value: checkValue(core, channel, option, value, resolved) }]
  })
}

/** Returns the values that have been typed so far, unchecked, and marks the focused option, for autocomplete. */
export function partialValues(runnable: Runnable, values: OptionValues, focused: string): JsonObject[] {
  return runnable.options.flatMap((option) => {
    const name = String(option.name)
    const value = values[name]
    if (name === focused) return [{ name, type: option.type, value: String(value ?? ''), focused: true }]
    return value === undefined || value === '' ? [] : [{ name, type: option.type, value }]
  })
}

/** Wraps options in the subcommand groups and subcommands of their path. */
export function nestValues(runnable: Runnable, values: readonly JsonObject[]): readonly JsonObject[] {
  let options = values
  const [, ...steps] = runnable.path
  for (const [depth, name] of [...steps.entries()].reverse()) {
    const isGroup = depth < steps.length - 1
    options = [{ name, type: isGroup ? optionKind.group : optionKind.subcommand, options }]
  }
  return options
}

function checkValue(
  core: Core,
  channel: ChannelRecord,
  option: JsonObject,
  value: string | number | boolean,
  resolved: Resolved,
): string | number | boolean {
  const text = String(value)
  switch (option.type) {
    case optionKind.string:
      return checkText(option, withMentions(core, channel, text))
    case optionKind.integer:
    case optionKind.number:
      return checkNumber(option, value)
    case optionKind.boolean:
      if (text === 'true' || text === 'false') return text === 'true'
      throw new NotPossible('Input a valid boolean.', String(option.name))
    case optionKind.user:
      return known(option, resolved.user(text), 'user')
    case optionKind.role:
      return known(option, resolved.role(text), 'role')
    case optionKind.mentionable:
      return known(option, resolved.mentionable(text), 'mentionable')
    case optionKind.channel:
      return known(option, resolved.channel(text), 'channel')
    case optionKind.attachment:
      return known(option, resolved.upload(text), 'file')
    default:
      throw new NotPossible('This kind of option cannot be filled in here.', String(option.name))
  }
}

function known(option: JsonObject, id: string | undefined, what: string): string {
  if (id === undefined) throw new NotPossible(`Input a valid ${what}.`, String(option.name))
  return id
}

function checkText(option: JsonObject, text: string): string {
  const name = String(option.name)
  const choices = (option.choices as JsonObject[] | undefined) ?? []
  if (choices.length > 0) return String(chosen(name, choices, text))
  const length = lengthOf(text)
  const min = Number(option.min_length ?? 0)
  const max = Number(option.max_length ?? 6000)
  if (length < min) throw new NotPossible(`Must be ${min} or more in length.`, name)
  if (length > max) throw new NotPossible(`Must be ${max} or fewer in length.`, name)
  return text
}

function checkNumber(option: JsonObject, value: string | number | boolean): number {
  const name = String(option.name)
  const choices = (option.choices as JsonObject[] | undefined) ?? []
  if (choices.length > 0) return Number(chosen(name, choices, String(value)))
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value)
  const whole = option.type === optionKind.integer
  if (!Number.isFinite(number) || typeof value === 'boolean' || (whole && !Number.isSafeInteger(number)))
    throw new NotPossible(whole ? 'Input a valid integer.' : 'Input a valid number.', name)
  if (typeof option.min_value === 'number' && number < option.min_value)
    throw new NotPossible(`Specify a number greater than or equal to ${option.min_value}.`, name)
  if (typeof option.max_value === 'number' && number > option.max_value)
    throw new NotPossible(`Specify a number less than or equal to ${option.max_value}.`, name)
  return number
}

/** Finds a choice by its value, or by the name that the person reads. */
function chosen(option: string, choices: readonly JsonObject[], text: string): unknown {
  const found =
    choices.find(({ value }) => String(value) === text) ??
    choices.find(({ name }) => String(name).toLowerCase() === text.toLowerCase())
  if (found === undefined) throw new NotPossible('Input a valid choice.', option)
  return found.value
}
