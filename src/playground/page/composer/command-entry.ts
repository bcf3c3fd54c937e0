import type { CommandView, OptionView } from '../../emulator/views.ts'
import { html, useEffect, useRef, useState, type VNode } from '../html.ts'
import { api, type OptionValue, type Refusal } from '../state/api.ts'
import { follow } from '../state/interactions.ts'
import { channel, parts } from '../state/session.ts'
import { Icon, Satchel } from '../sides/icons.ts'
import { check, emptyEntry, type Entry, isListed } from './option-entry.ts'
import { OptionField } from './option-field.ts'
import { stepped, Suggestions } from './suggestions.ts'
import { useSuggestions } from './use-suggestions.ts'

interface CommandEntryProps {
  command: CommandView
  /** Typed behind the command's name. */
  rest: string
  onLeave: () => void
}

/** A command being filled in: required options first, others can be added; the list above helps with the one in focus. */
export function CommandEntry({ command, rest, onLeave }: CommandEntryProps): VNode {
  const root = useRef<HTMLDivElement>(null)
  const [entries, setEntries] = useState<Readonly<Record<string, Entry>>>(() => firstEntries(command, rest))
  const [shown, setShown] = useState<readonly string[]>(() => firstShown(command))
  const [focused, setFocused] = useState<string | null>(null)
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const [listClosed, setListClosed] = useState(false)
  const [active, setActive] = useState(0)
  const [sending, setSending] = useState(false)
  const option = command.options.find(({ name }) => name === focused)
  const entry = (focused === null ? undefined : entries[focused]) ?? emptyEntry
  const offered = useSuggestions({ command, option, entry, values: valuesOf(command, entries) })
  const items = listClosed || entry.chosen !== null ? [] : offered.items
  const free = option !== undefined && !isListed(option) && option.autocomplete && entry.text !== ''
  const highlighted = free && active === 0 ? -1 : Math.min(active, items.length - 1)

  useEffect(() => focusField(root.current, shown[0] ?? null), [])

  function set(name: string, next: Entry): void {
    setEntries({ ...entries, [name]: next })
    const { [name]: _fixed, ...others } = problems
    setProblems(others)
    setListClosed(false)
    setActive(0)
  }
  function pick(index: number): void {
    const item = items[index]
    if (item === undefined || focused === null) return
    set(focused, item.entry)
    if (item.entry.chosen !== null) goOn(focused)
  }
  /** To the next field that still wants something, else to where Enter sends. */
  function goOn(from: string): void {
    setListClosed(true)
    const next = shown.slice(shown.indexOf(from) + 1).find((name) => (entries[name]?.text ?? '') === '')
    queueMicrotask(() => focusField(root.current, next ?? from))
  }
  function add(name: string): void {
    setShown([...shown, name])
    queueMicrotask(() => focusField(root.current, name))
  }
  function drop(name: string): void {
    const at = shown.indexOf(name)
    const isOptional = command.options.find((each) => each.name === name)?.required === false
    if (at <= 0 && !isOptional) return onLeave()
    if (isOptional) {
      setEntries({ ...entries, [name]: emptyEntry })
      setShown(shown.filter((each) => each !== name))
    }
    queueMicrotask(() => focusField(root.current, shown[at - 1] ?? null))
  }
  async function send(): Promise<void> {
    const wrong = problemsOf(command, entries)
    setProblems(wrong)
    const [first] = Object.keys(wrong)
    if (first !== undefined) return focusField(root.current, first)
    setSending(true)
    const refused = (refusal: Refusal) => {
      if (refusal.field === null) return false
      setProblems({ [refusal.field]: refusal.message })
      focusField(root.current, refusal.field)
      return true
    }
    const run = api.run(channel.value?.id ?? '', command.path, valuesOf(command, entries))
    const sent = await follow(run, `/${command.path}`, null, refused)
    setSending(false)
    if (sent !== undefined) onLeave()
  }
  function onKeyDown(event: KeyboardEvent): void {
    const inField = (event.target as HTMLElement).matches('input')
    if (!inField && (event.target as HTMLElement).matches('button')) {
      if (event.key === 'Escape') onLeave()
      return
    }
    const next = stepped(event.key, highlighted, items.length)
    if (inField && next !== undefined) setActive(next)
    else if (inField && event.key === 'Tab' && !event.shiftKey && highlighted >= 0) pick(highlighted)
    else if (event.key === 'Enter' && inField && highlighted >= 0) pick(highlighted)
    else if (event.key === 'Enter') void send()
    else if (event.key === 'Escape' && items.length > 0) setListClosed(true)
    else if (event.key === 'Escape') onLeave()
    else if (event.key === 'Backspace' && entry.text === '') focused === null ? onLeave() : drop(focused)
    else return
    event.preventDefault()
  }
  const hidden = command.options.filter(({ name }) => !shown.includes(name))
  const list = { items, active: highlighted, onActive: setActive, onPick: pick }
  return html`<div class="command-entry" ref=${root} onKeyDown=${onKeyDown}>
    <${Help} command=${command} option=${option} problem=${problems[focused ?? '']} empty=${listClosed || entry.chosen !== null ? null : offered.empty} list=${list} />
    <div class="entry command">
      <span class="satchel-mark small"><${Satchel} size=${20} /></span>
      <div class="chips" role="group" aria-label=${`/${command.label}`}>
        <strong class="command-name" tabindex=${shown.length === 0 ? 0 : null} data-field="">/${command.label}</strong>
        ${shown.map((name) => {
          const of = command.options.find((each) => each.name === name)
          if (of === undefined) return null
          return html`<${OptionField}
            key=${name}
            option=${of}
            entry=${entries[name] ?? emptyEntry}
            problem=${problems[name]}
            activeId=${name === focused && highlighted >= 0 ? `option-list-${highlighted}` : null}
            onEntry=${(next: Entry) => set(name, next)}
            onFocus=${() => {
              setFocused(name)
              setActive(0)
              setListClosed((entries[name]?.chosen ?? null) !== null)
            }}
          />`
        })}
        ${hidden.map(
          ({ name, description }) => html`<button
            key=${`add ${name}`}
            type="button"
            class="add-option"
            title=${description}
            aria-label=${`Add the option ${name}: ${description}`}
            onClick=${() => add(name)}
          >
            <${Icon} name="plus" size=${13} />${name}
          </button>`,
        )}
      </div>
      <button type="button" class="round send" aria-label="Send the command" aria-busy=${sending} onClick=${send}>
        <${Icon} name="send" />
      </button>
      <button type="button" class="round" aria-label="Leave the command" onClick=${onLeave}><${Icon} name="close" size=${18} /></button>
    </div>
  </div>`
}

interface HelpProps {
  command: CommandView
  option: OptionView | undefined
  problem: string | undefined
  empty: string | null
  list: Pick<Parameters<typeof Suggestions>[0], 'items' | 'active' | 'onActive' | 'onPick'>
}

/** What is wanted now: the command's description, the option's, what is wrong with it, what can be chosen. */
function Help({ command, option, problem, empty, list }: HelpProps): VNode {
  const head = html`<span class="help-words">
      ${
        option === undefined
          ? html`<b>/${command.label}</b> ${command.description}`
          : html`<b>${option.name}</b> ${option.description}`
      }
      ${problem !== undefined && html`<em role="alert">${problem}</em>`}
    </span>
    <span class="help-keys" aria-hidden="true">
      ${
        parts.value.botOnline
          ? html`<kbd>Enter</kbd> send <kbd>Tab</kbd> next <kbd>Esc</kbd> leave`
          : html`<em>The bot is offline: nobody will answer.</em>`
      }
    </span>`
  return html`<${Suggestions} id="option-list" label=${option?.name ?? command.label} head=${head} empty=${empty} ...${list} />`
}

function firstShown(command: CommandView): readonly string[] {
  const required = command.options.filter((option) => option.required)
  const all = required.length > 0 ? required : command.options.slice(0, 1)
  return all.map(({ name }) => name)
}

function firstEntries(command: CommandView, rest: string): Readonly<Record<string, Entry>> {
  const [first] = firstShown(command)
  return first === undefined || rest.trim() === '' ? {} : { [first]: { text: rest, chosen: null } }
}

function valuesOf(command: CommandView, entries: Readonly<Record<string, Entry>>): Record<string, OptionValue> {
  const values: Record<string, OptionValue> = {}
  for (const option of command.options) {
    const checked = check(option, entries[option.name] ?? emptyEntry)
    if ('value' in checked) values[option.name] = checked.value
  }
  return values
}

function problemsOf(command: CommandView, entries: Readonly<Record<string, Entry>>): Record<string, string> {
  const wrong: Record<string, string> = {}
  for (const option of command.options) {
    const checked = check(option, entries[option.name] ?? emptyEntry)
    if ('problem' in checked) wrong[option.name] = checked.problem
  }
  return wrong
}

function focusField(root: HTMLElement | null, name: string | null): void {
  root?.querySelector<HTMLElement>(`[data-field="${name ?? ''}"]`)?.focus()
}
