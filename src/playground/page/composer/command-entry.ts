import type { CommandView } from '../../../discord-emulator/views.ts'
import { html, useLayoutEffect, useRef, useState, type VNode } from '../html.ts'
import { Icon, Satchel } from '../sides/icons.ts'
import { api } from '../state/api.ts'
import { follow } from '../state/interactions.ts'
import { channel } from '../state/session.ts'
import {
  type CommandDraft,
  entryOf,
  newDraft,
  nextEmpty,
  nextHidden,
  optionOf,
  spreadOut,
  typedOn,
  valuesOf,
  withEntry,
  withOption,
  withoutOption,
  withProblems,
} from './command-draft.ts'
import { CommandHelp } from './command-help.ts'
import { type Entry, isListed } from './option-entry.ts'
import { OptionField } from './option-field.ts'
import { stepped } from './suggestions.ts'
import { type Offered, useSuggestions } from './use-suggestions.ts'

interface CommandEntryProps {
  command: CommandView
  /** The text after the command's name. */
  rest: string
  onLeave: () => void
}

/**
 * Draws a command that a person is filling in. Required options come first, and others can be added; the list above
 * helps with the focused option.
 */
export function CommandEntry({ command, rest, onLeave }: CommandEntryProps): VNode {
  const form = useCommandForm(command, rest, onLeave)
  const { draft, focused, problem, items, highlighted, empty } = form
  const list = { items, active: highlighted, onActive: form.highlight, onPick: form.pick }
  return html`<div class="command-entry" ref=${form.root} onKeyDown=${(event: KeyboardEvent) => onKey(event, form, onLeave)}>
    <${CommandHelp} command=${command} option=${optionOf(draft, focused)} problem=${problem} empty=${empty} list=${list} />
    <div class="entry command">
      <span class="satchel-mark small"><${Satchel} size=${20} /></span>
      <${Chips} form=${form} />
      <button type="button" class="round send" aria-label="Send the command" onClick=${form.send}>
        <${Icon} name="send" />
      </button>
      <button type="button" class="round" aria-label="Leave the command" onClick=${onLeave}>
        <${Icon} name="close" size=${18} />
      </button>
    </div>
  </div>`
}

/** The number of options offered at first; more appear on request. */
const mostOffered = 4

type CommandForm = ReturnType<typeof useCommandForm>

/** Keeps the draft, the focused field, and the list's suggestions. */
function useCommandForm(command: CommandView, rest: string, onLeave: () => void) {
  const root = useRef<HTMLDivElement>(null)
  const [draft, setDraft] = useState(() => newDraft(command, rest))
  const [focused, setFocused] = useState<string | null>(null)
  const [listClosed, setListClosed] = useState(false)
  const [active, setActive] = useState(-1)
  const option = optionOf(draft, focused)
  const entry = entryOf(draft, focused)
  const offered: Offered = useSuggestions({ command, option, entry, values: valuesOf(draft) })
  const quiet = listClosed || entry.chosen !== null
  const items = quiet ? [] : offered.items
  const focus = (name: string | null) => queueMicrotask(() => focusField(root.current, name))
  useLayoutEffect(() => focusField(root.current, lastFilled(draft) ?? draft.shown[0] ?? null), [])

  function set(name: string, next: Entry): CommandDraft {
    const { draft: changed, field } = typedOn(withEntry(draft, name, next), name)
    setDraft(changed)
    setListClosed(false)
    setActive(next.text === '' || takesAnything(changed, field) ? -1 : 0)
    if (field !== name) focus(field)
    return changed
  }
  return {
    ...{ root, draft, focused, set, items, onLeave },
    entry,
    problem: draft.problems[focused ?? ''],
    empty: quiet ? null : offered.empty,
    highlighted: Math.min(active, items.length - 1),
    highlight: setActive,
    closeList: () => setListClosed(true),
    pick(index: number): void {
      const item = items[index]
      if (item === undefined || focused === null) return
      const changed = set(focused, item.entry)
      if (item.entry.chosen === null) return
      setListClosed(true)
      focus(nextEmpty(changed, focused) ?? focused)
    },
    enter(name: string): void {
      setFocused(name)
      setActive(-1)
      setListClosed(entryOf(draft, name).chosen !== null)
    },
    add(name: string): void {
      setDraft(withOption(draft, name))
      focus(name)
    },
    /** Handles Backspace in an empty field: removes an optional field, or goes back from a required field. */
    stepBack(name: string): void {
      const at = draft.shown.indexOf(name)
      const isOptional = optionOf(draft, name)?.required === false
      if (at <= 0 && !isOptional) onLeave()
      else if (isOptional) setDraft(withoutOption(draft, name))
      focus(draft.shown[at - 1] ?? null)
    },
    send(): void {
      const checked = withProblems(spreadOut(draft))
      const [wrong] = Object.keys(checked.problems)
      setDraft(checked)
      if (wrong !== undefined) {
        focus(wrong)
        return
      }
      void follow(api.run(channel.value?.id ?? '', command.path, valuesOf(checked)), `/${command.path}`)
      onLeave()
    },
  }
}

/**
 * Handles keys. Enter and Tab take the highlighted suggestion; otherwise Enter sends the command, and Tab adds another
 * option or moves on as usual.
 */
function onKey(event: KeyboardEvent, form: CommandForm, onLeave: () => void): void {
  const { entry, focused, highlighted, items } = form
  const target = event.target as HTMLElement
  if (target.matches('button')) {
    if (event.key === 'Escape') onLeave()
    return
  }
  const inField = target.matches('input')
  const next = stepped(event.key, highlighted, items.length)
  const takes = event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey)
  if (inField && next !== undefined) form.highlight(next)
  else if (inField && takes && highlighted >= 0) form.pick(highlighted)
  else if (inField && event.key === 'Enter' && takesFirst(form)) form.pick(0)
  else if (event.key === 'Enter') form.send()
  else if (event.key === 'Tab') {
    const more = inField && takes ? nextHidden(form.draft, focused) : undefined
    if (more === undefined) return
    form.add(more)
  } else if (event.key === 'Escape' && items.length > 0) form.closeList()
  else if (event.key === 'Escape') onLeave()
  else if (event.key === 'Backspace' && !inField) onLeave()
  else if (event.key === 'Backspace' && entry.text === '' && focused !== null) form.stepBack(focused)
  else return
  event.preventDefault()
}

/** Whether Enter takes the bot's first suggestion for a field that must not stay empty. */
function takesFirst({ draft, focused, entry, items }: CommandForm): boolean {
  const option = optionOf(draft, focused)
  return option?.required === true && option.autocomplete && entry.text === '' && items.length > 0
}

/** Draws the command's name, its fields, and the options that can be added. */
function Chips({ form }: { form: CommandForm }): VNode {
  const { draft, focused, highlighted } = form
  const { command, shown } = draft
  const hidden = command.options.filter(({ name }) => !shown.includes(name))
  const [all, setAll] = useState(false)
  const offered = all || hidden.length <= mostOffered + 1 ? hidden : hidden.slice(0, mostOffered)
  return html`<div class="chips" role="group" aria-label=${`/${command.label}`}>
    <strong class="command-name" tabindex=${shown.length === 0 ? 0 : null} data-field="">/${command.label}</strong>
    ${shown.map(
      (name) => html`<${OptionField}
        key=${name}
        option=${optionOf(draft, name)}
        entry=${entryOf(draft, name)}
        problem=${draft.problems[name]}
        activeId=${name === focused && highlighted >= 0 ? `option-list-${highlighted}` : null}
        onEntry=${(next: Entry) => form.set(name, next)}
        onFocus=${() => form.enter(name)}
      />`,
    )}
    ${offered.map(
      ({ name, description }) => html`<button
        key=${`add ${name}`}
        type="button"
        class="add-option"
        title=${description}
        aria-label=${`Add the option ${name}: ${description}`}
        onClick=${() => form.add(name)}
      >
        <${Icon} name="plus" size=${13} />${name}
      </button>`,
    )}
    ${
      offered.length < hidden.length &&
      html`<button type="button" class="add-option" onClick=${() => setAll(true)}>
        ${hidden.length - offered.length} more
      </button>`
    }
  </div>`
}

/** Returns the last field with a text. */
function lastFilled(draft: CommandDraft): string | undefined {
  return draft.shown.filter((name) => entryOf(draft, name).text !== '').at(-1)
}

/** Whether a field takes any text, so that Enter must not replace the text with the best match. */
function takesAnything(draft: CommandDraft, name: string): boolean {
  const option = optionOf(draft, name)
  return option !== undefined && !isListed(option) && option.autocomplete
}

function focusField(root: HTMLElement | null, name: string | null): void {
  root?.querySelector<HTMLElement>(`[data-field="${name ?? ''}"]`)?.focus()
}
