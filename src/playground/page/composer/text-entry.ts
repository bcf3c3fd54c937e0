import type { CommandView } from '../../emulator/views.ts'
import { html, useEffect, useLayoutEffect, useRef, useState, type VNode } from '../html.ts'
import { api } from '../state/api.ts'
import { commandsHere } from '../state/commands.ts'
import { replyingTo } from '../state/conversations.ts'
import { tell } from '../state/interactions.ts'
import { channel, me, parts } from '../state/session.ts'
import { Icon, Satchel } from '../sides/icons.ts'
import { best } from '../text/fuzzy.ts'
import { mentionBefore, mentionSuggestions } from './mentions.ts'
import { stepped, Suggestions } from './suggestions.ts'

interface TextEntryProps {
  /** After a command: one goes on writing. */
  focusNow: boolean
  onCommand: (command: CommandView, rest: string) => void
}

const longest = 2_000
/** What was being written where, for as long as the page lives. */
const drafts = new Map<string, string>()

/** A message being written. `/` opens the commands, `@` the people. */
export function TextEntry({ focusNow, onCommand }: TextEntryProps): VNode {
  const here = channel.value
  const draftKey = `${me.value?.id} ${here?.id}`
  const [text, setText] = useState(drafts.get(draftKey) ?? '')
  const [caret, setCaret] = useState(0)
  const [active, setActive] = useState(0)
  const [closed, setClosed] = useState(false)
  const box = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (focusNow || matchMedia('(hover: hover)').matches) box.current?.focus({ preventScroll: true })
  }, [])
  useLayoutEffect(() => grow(box.current), [text])

  const commands = closed ? null : commandsFor(text)
  const mention = closed || commands !== null ? null : mentionBefore(text, caret)
  const people = mention === null ? [] : mentionSuggestions(mention.typed)
  const count = commands?.length ?? people.length

  function write(next: string, at = next.length): void {
    drafts.set(draftKey, next)
    const typed = /^\/(\S.*?)\s([\s\S]*)$/.exec(next)
    const named = typed === null ? undefined : namedCommand(next.slice(1))
    if (named !== undefined) return choose(named.command, named.rest)
    setText(next)
    setCaret(at)
    setActive(0)
    setClosed(false)
  }
  function choose(command: CommandView, rest: string): void {
    drafts.delete(draftKey)
    onCommand(command, rest)
  }
  function pick(index: number): void {
    const command = commands?.[index]
    const person = people[index]
    if (command !== undefined) choose(command, '')
    else if (person !== undefined && mention !== null) {
      const before = text.slice(0, mention.at) + person.insert
      write(before + text.slice(caret), before.length)
      queueMicrotask(() => box.current?.setSelectionRange(before.length, before.length))
    }
  }
  async function send(): Promise<void> {
    if (here === null || text.trim() === '') return
    const replied = replyingTo.value?.channelId === here.id ? replyingTo.value.id : undefined
    const sent = await tell(api.say(here.id, text, replied))
    if (sent === undefined) return
    replyingTo.value = null
    write('')
  }
  function onKeyDown(event: KeyboardEvent): void {
    const next = stepped(event.key, active, count)
    if (next !== undefined) setActive(next)
    else if (count > 0 && (event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey) pick(active)
    else if (event.key === 'Escape' && count > 0) setClosed(true)
    else if (event.key === 'Escape' && replyingTo.value !== null) replyingTo.value = null
    else if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) void send()
    else return
    event.preventDefault()
  }
  const name = here?.kind === 'dm' ? `@${here.name}` : `#${here?.name ?? ''}`
  const open = commands !== null || people.length > 0
  return html`
    ${open && html`<${Picker} commands=${commands} people=${people} active=${active} onActive=${setActive} onPick=${pick} />`}
    <div class="entry">
      <button
        type="button"
        class="round"
        aria-label="Commands"
        title="Commands"
        onClick=${() => {
          write('/')
          box.current?.focus()
        }}
      >
        <${Icon} name="bolt" />
      </button>
      <textarea
        id="composer"
        ref=${box}
        rows="1"
        value=${text}
        placeholder=${`Message ${name}, or type / for commands`}
        aria-label=${`Message ${name}`}
        aria-autocomplete="list"
        aria-controls="composer-list"
        aria-activedescendant=${open && count > 0 ? `composer-list-${active}` : null}
        onInput=${({ currentTarget: area }: { currentTarget: HTMLTextAreaElement }) => write(area.value, area.selectionStart)}
        onKeyUp=${({ currentTarget: area }: { currentTarget: HTMLTextAreaElement }) => setCaret(area.selectionStart)}
        onClick=${({ currentTarget: area }: { currentTarget: HTMLTextAreaElement }) => setCaret(area.selectionStart)}
        onKeyDown=${onKeyDown}
      ></textarea>
      ${text.length > longest - 200 && html`<span class=${`left ${text.length > longest ? 'over' : ''}`}>${longest - text.length}</span>`}
      <button type="button" class="round send" aria-label="Send" disabled=${text.trim() === ''} onClick=${send}>
        <${Icon} name="send" />
      </button>
    </div>
  `
}

interface PickerProps {
  commands: readonly CommandView[] | null
  people: ReturnType<typeof mentionSuggestions>
  active: number
  onActive: (index: number) => void
  onPick: (index: number) => void
}

function Picker({ commands, people, active, onActive, onPick }: PickerProps): VNode {
  const shared = { id: 'composer-list', active, onActive, onPick }
  if (commands === null) return html`<${Suggestions} ...${shared} label="People" head="Members and roles" items=${people} />`
  const items = commands.map((command) => ({
    key: command.path,
    title: html`<b>/${command.label}</b>${command.options
        .filter(({ required }) => required)
        .map(({ name }) => html`<span class="needs">${name}</span>`)}`,
    detail: command.description,
    picture: html`<span class="satchel-mark small"><${Satchel} size=${18} /></span>`,
  }))
  const empty = parts.value.botOnline
    ? 'No command fits. Press Escape to write this as a message.'
    : 'The bot is offline: its commands will not be answered.'
  return html`<${Suggestions} ...${shared} label="Commands" head="Satchel’s commands" items=${items} empty=${empty} />`
}

/** Null while no command is being typed. */
function commandsFor(text: string): readonly CommandView[] | null {
  if (!/^\/[^\n]*$/.test(text)) return null
  const slash = commandsHere.value.filter(({ kind }) => kind === 'slash')
  return best(slash, text.slice(1), ({ path, label }) => [path, label])
}

/** `tip ` or `voucher create …`: a whole command and a space choose it; what follows goes into its first option. */
function namedCommand(typed: string): { command: CommandView; rest: string } | undefined {
  for (const command of commandsHere.value) {
    for (const name of [command.path, command.label]) {
      if (command.kind === 'slash' && typed.startsWith(`${name} `)) return { command, rest: typed.slice(name.length + 1) }
    }
  }
  return undefined
}

function grow(area: HTMLTextAreaElement | null): void {
  if (area === null) return
  area.style.height = 'auto'
  area.style.height = `${Math.min(area.scrollHeight, 240)}px`
}
