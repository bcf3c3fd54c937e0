import type { CommandView, OptionView } from '../../../discord-emulator/views.ts'
import type { OptionValue } from '../state/api.ts'
import { check, type Entry, emptyEntry, exactly, isListed, mayGrow } from './option-entry.ts'

/** A command that a person is filling in. */
export interface CommandDraft {
  readonly command: CommandView
  readonly entries: Readonly<Record<string, Entry>>
  /** The options that have a field: those that are required, and those that were added. */
  readonly shown: readonly string[]
  /** The faults, by option. */
  readonly problems: Readonly<Record<string, string>>
}

/** Creates a draft. The text after the command's name, such as `@bob 500`, fills its fields in order. */
export function newDraft(command: CommandView, rest: string): CommandDraft {
  const required = command.options.filter((option) => option.required)
  const shown = (required.length > 0 ? required : leading(command)).map(({ name }) => name)
  const [first] = shown
  const entries = first === undefined || rest.trim() === '' ? {} : { [first]: { text: rest, chosen: null } }
  const draft = { command, entries, shown, problems: {} }
  return first === undefined ? draft : typedOn(draft, first).draft
}

/** Returns the options to start with: the first three if a form asks for missing options, otherwise the first. */
function leading({ options }: CommandView): readonly OptionView[] {
  return options.slice(0, isOfForm(options) ? 3 : 1)
}

/** Whether no option is required and the second is a whole number, as in `/drop 300 3`. */
function isOfForm([first, second]: readonly OptionView[]): boolean {
  return first?.required === false && second?.required === false && second.type === 'integer'
}

/**
 * Ends an option's text at the space after an exact choice or a number, and moves the rest into the next field, as
 * often as possible. Also returns the field in which the text ends. A choice does not end while a longer name is still
 * possible.
 */
export function typedOn(draft: CommandDraft, name: string): { draft: CommandDraft; field: string } {
  const named = whatIsNamed(draft, name)
  if (named !== undefined) return typedOn(named.draft, named.field)
  const option = optionOf(draft, name)
  const next = nextEmpty(draft, name)
  const { text, chosen } = entryOf(draft, name)
  if (option === undefined || next === undefined || chosen !== null) return { draft, field: name }
  const isNumber = option.type === 'integer' || option.type === 'number'
  if ((!isListed(option) && !isNumber) || (isListed(option) && mayGrow(option, text))) return { draft, field: name }
  for (let space = text.lastIndexOf(' '); space > 0; space = text.lastIndexOf(' ', space - 1)) {
    const head = text.slice(0, space)
    const entry = isNumber ? numberOf(option, head) : exactly(option, head)
    if (entry === undefined) continue
    const filled = withEntry(draft, name, entry)
    return typedOn(withEntry(filled, next, { text: text.slice(space + 1).trimStart(), chosen: null }), next)
  }
  return { draft, field: name }
}

/**
 * Reads `/drop amount:2k shares:20`, as guides write commands: the text after the first name goes into the option of
 * that name. Undefined if the text names no option that is still empty.
 */
function whatIsNamed(draft: CommandDraft, field: string): { draft: CommandDraft; field: string } | undefined {
  const { text, chosen } = entryOf(draft, field)
  if (chosen !== null) return undefined
  const [first] = draft.command.options
    .flatMap(({ name }) => {
      const found = new RegExp(`${name === field ? '^' : '(?:^|\\s)'}${name}:`).exec(text)
      return found === null || (name !== field && entryOf(draft, name).text !== '') ? [] : { name, found }
    })
    .toSorted((one, other) => one.found.index - other.found.index)
  if (first === undefined) return undefined
  const { name, found } = first
  const head = text.slice(0, found.index).trim()
  const option = optionOf(draft, field)
  const before = withEntry(draft, field, (option && exactly(option, head)) ?? { text: head, chosen: null })
  const added = before.shown.includes(name) ? before : withOption(before, name)
  const value = { text: text.slice(found.index + found[0].length).trimStart(), chosen: null }
  return { draft: withEntry(added, name, value), field: name }
}

/**
 * Spreads a text over fields. If a draft lacks a required option, splits the text of one field at its spaces and puts
 * the parts into the next fields, as in `/drop 300 3`. Leaves the draft unchanged unless the result is valid, because
 * a value may contain spaces, such as `0.001 btc`.
 */
export function spreadOut(draft: CommandDraft): CommandDraft {
  if (isRight(draft) && !goesOn(draft)) return draft
  for (const { name } of draft.command.options) {
    const next = nextEmpty(draft, name)
    const { text, chosen } = entryOf(draft, name)
    if (next === undefined || chosen !== null || !draft.shown.includes(name)) continue
    for (let space = text.indexOf(' '); space > 0; space = text.indexOf(' ', space + 1)) {
      const begun = withEntry(draft, name, { text: text.slice(0, space), chosen: null })
      const rest = { text: text.slice(space).trimStart(), chosen: null }
      const spread = spreadOut(typedOn(withEntry(begun, next, rest), next).draft)
      if (isRight(spread)) return spread
    }
  }
  return draft
}

/** Whether the first option's field may also contain the values of other options. */
function goesOn(draft: CommandDraft): boolean {
  const [first, second] = draft.command.options
  if (first === undefined || second === undefined || !isOfForm(draft.command.options)) return false
  return entryOf(draft, first.name).text.includes(' ') && entryOf(draft, second.name).text === ''
}

function isRight(draft: CommandDraft): boolean {
  return Object.keys(withProblems(draft).problems).length === 0
}

function numberOf(option: OptionView, text: string): Entry | undefined {
  const entry = { text: text.trim(), chosen: null }
  return 'value' in check(option, entry) ? entry : undefined
}

export function optionOf({ command }: CommandDraft, name: string | null): OptionView | undefined {
  return command.options.find((option) => option.name === name)
}

export function entryOf({ entries }: CommandDraft, name: string | null): Entry {
  return (name === null ? undefined : entries[name]) ?? emptyEntry
}

export function withEntry(draft: CommandDraft, name: string, entry: Entry): CommandDraft {
  const { [name]: _corrected, ...problems } = draft.problems
  return { ...draft, entries: { ...draft.entries, [name]: entry }, problems }
}

export function withOption(draft: CommandDraft, name: string): CommandDraft {
  return { ...draft, shown: [...draft.shown, name] }
}

export function withoutOption(draft: CommandDraft, name: string): CommandDraft {
  const emptied = withEntry(draft, name, emptyEntry)
  return { ...emptied, shown: draft.shown.filter((each) => each !== name) }
}

/** Finds the next empty field after `from`. */
export function nextEmpty(draft: CommandDraft, from: string): string | undefined {
  return draft.shown.slice(draft.shown.indexOf(from) + 1).find((name) => entryOf(draft, name).text === '')
}

/** Finds the next option without a field if `from` is the last field and is not empty. */
export function nextHidden(draft: CommandDraft, from: string | null): string | undefined {
  if (from !== draft.shown.at(-1) || entryOf(draft, from).text === '') return undefined
  return draft.command.options.find(({ name }) => !draft.shown.includes(name))?.name
}

/** Returns the values of the options that are filled in correctly. */
export function valuesOf(draft: CommandDraft): Record<string, OptionValue> {
  const values: Record<string, OptionValue> = {}
  for (const option of draft.command.options) {
    const checked = check(option, entryOf(draft, option.name))
    if ('value' in checked) values[option.name] = checked.value
  }
  return values
}

/** Returns the draft with all its faults. */
export function withProblems(draft: CommandDraft): CommandDraft {
  const problems: Record<string, string> = {}
  for (const option of draft.command.options) {
    const checked = check(option, entryOf(draft, option.name))
    if ('problem' in checked) problems[option.name] = checked.problem
  }
  return { ...draft, problems }
}
