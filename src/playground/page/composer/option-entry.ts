import type { ChoiceView, OptionView } from '../../../discord-emulator/views.ts'
import { html } from '../html.ts'
import { Avatar } from '../sides/avatar.ts'
import { Icon } from '../sides/icons.ts'
import type { OptionValue } from '../state/api.ts'
import { server } from '../state/session.ts'
import { best } from '../text/fuzzy.ts'
import type { Suggestion } from './suggestions.ts'

/** The content of an option's field: typed text, or a choice from its list. */
export interface Entry {
  readonly text: string
  /** The value behind a chosen text; null for a typed text. */
  readonly chosen: OptionValue | null
}

export const emptyEntry: Entry = { text: '', chosen: null }

export interface OptionSuggestion extends Suggestion {
  readonly entry: Entry
}

export type Checked = { readonly value: OptionValue } | { readonly problem: string } | { readonly empty: true }

const most = 25

/** Whether an option accepts only values from a list. */
export function isListed({ type, choices }: OptionView): boolean {
  return choices.length > 0 || !['string', 'integer', 'number'].includes(type)
}

/** Lists the choices of an option that the page itself knows; another function asks the bot for more. */
export function listFor(option: OptionView, typed: string): OptionSuggestion[] {
  const bare = typed.replace(/^[@#]/, '')
  switch (option.type) {
    case 'boolean':
      return fromChoices(
        [
          { name: 'True', value: 'true' },
          { name: 'False', value: 'false' },
        ],
        typed,
      )
    case 'user':
      return people(bare)
    case 'role':
      return roles(bare)
    case 'mentionable':
      return [...people(bare), ...roles(bare)].slice(0, most)
    case 'channel':
      return channels(bare)
    default:
      return fromChoices(option.choices, typed)
  }
}

export function fromChoices(choices: readonly ChoiceView[], typed: string): OptionSuggestion[] {
  return best(choices, typed, ({ name }) => [name])
    .slice(0, most)
    .map(({ name, value }) => ({ key: String(value), title: name, entry: { text: name, chosen: value } }))
}

/** Checks an option as Discord's client does before it sends a command, with the same messages. */
export function check(option: OptionView, entry: Entry): Checked {
  const text = entry.text.trim()
  if (text === '') return option.required ? { problem: 'This option is required. Specify a value.' } : { empty: true }
  if (isListed(option)) return checkListed(option, entry)
  if (option.type === 'string') {
    if (entry.chosen !== null) return { value: entry.chosen }
    if (option.minLength !== null && text.length < option.minLength) {
      return { problem: `Must be ${option.minLength} or more in length.` }
    }
    if (option.maxLength !== null && text.length > option.maxLength) {
      return { problem: `Must be ${option.maxLength} or fewer in length.` }
    }
    return { value: text }
  }
  return checkNumber(option, entry.chosen === null ? Number(text) : Number(entry.chosen))
}

/** Finds the choice of a listed option that a text matches exactly, by its title or by a person's user name. */
export function exactly(option: OptionView, text: string): Entry | undefined {
  const typed = bareName(text)
  return listFor(option, text).find((each) => bareName(each.entry.text) === typed || each.detail === typed)?.entry
}

/** Whether a text may still grow into a longer name of the list, as "Mary " may if the list contains "Mary Ann". */
export function mayGrow(option: OptionView, text: string): boolean {
  const typed = text.trimStart().toLowerCase().replace(/^[@#]/, '')
  return listFor(option, text.trim()).some((each) => {
    const names = [each.entry.text, typeof each.detail === 'string' ? each.detail : '']
    return names.some((name) => name.toLowerCase().replace(/^[@#]/, '').startsWith(typed))
  })
}

function bareName(text: string): string {
  return text.trim().toLowerCase().replace(/^[@#]/, '')
}

function checkListed(option: OptionView, { text, chosen }: Entry): Checked {
  if (chosen !== null) return { value: chosen }
  const found = exactly(option, text)
  if (found?.chosen != null) return { value: found.chosen }
  return { problem: option.choices.length > 0 ? 'Input a valid choice.' : `Input a valid ${option.type}.` }
}

function checkNumber(option: OptionView, number: number): Checked {
  const whole = option.type === 'integer'
  if (!Number.isFinite(number) || (whole && !Number.isSafeInteger(number))) {
    return { problem: whole ? 'Input a valid integer.' : 'Input a valid number.' }
  }
  if (option.min !== null && number < option.min) {
    return { problem: `Specify a number greater than or equal to ${option.min}.` }
  }
  if (option.max !== null && number > option.max) {
    return { problem: `Specify a number less than or equal to ${option.max}.` }
  }
  return { value: number }
}

function people(typed: string): OptionSuggestion[] {
  const members = server.value?.members ?? []
  return best(members, typed, ({ name, username, nick }) => [username, name, nick ?? ''])
    .slice(0, most)
    .map((member) => ({
      key: member.id,
      title: member.nick ?? member.name,
      detail: member.username,
      picture: html`<${Avatar} person=${member} size=${24} />`,
      entry: { text: `@${member.nick ?? member.name}`, chosen: member.id },
    }))
}

function roles(typed: string): OptionSuggestion[] {
  const here = server.value
  return best(here?.roles ?? [], typed, ({ name }) => [name])
    .slice(0, most)
    .map((role) => {
      const name = role.name.startsWith('@') ? role.name : `@${role.name}`
      return {
        key: role.id,
        title: html`<span class="role-name" style=${role.color === null ? null : { '--role': role.color }}>${name}</span>`,
        detail: 'Role',
        picture: html`<span class="suggestion-mark"><${Icon} name="people" size=${18} /></span>`,
        entry: { text: name, chosen: role.id },
      }
    })
}

function channels(typed: string): OptionSuggestion[] {
  return best(server.value?.channels ?? [], typed, ({ name }) => [name])
    .slice(0, most)
    .map(({ id, name }) => ({
      key: id,
      title: `#${name}`,
      picture: html`<span class="suggestion-mark"><${Icon} name="hash" size=${18} /></span>`,
      entry: { text: `#${name}`, chosen: id },
    }))
}
