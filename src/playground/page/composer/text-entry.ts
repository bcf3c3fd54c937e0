import type { CommandView } from '../../../discord-emulator/views.ts'
import { html, useLayoutEffect, useRef, useState, type VNode } from '../html.ts'
import { Icon, Satchel } from '../sides/icons.ts'
import { api } from '../state/api.ts'
import { commandsHere } from '../state/commands.ts'
import { replyingTo } from '../state/conversations.ts'
import { isNarrow } from '../state/frame.ts'
import { tell } from '../state/interactions.ts'
import { channel, me, parts } from '../state/session.ts'
import { best } from '../text/fuzzy.ts'
import { mentionBefore, mentionSuggestions } from './mentions.ts'
import { Suggestions, stepped } from './suggestions.ts'

interface TextEntryProps {
  /** Whether the field takes the focus, because the person continues to write after a command. */
  focusNow: boolean
  onCommand: (command: CommandView, rest: string) => void
}

const longest = 2_000
/** Unsent texts by channel, kept until the page is closed or reloaded. */
const drafts = new Map<string, string>()

/**
 * Draws the field for a message. `/` opens the list of commands, `@` that of people and roles, and `#` that of
 * channels.
 */
export function TextEntry({ focusNow, onCommand }: TextEntryProps): VNode {
  const form = useTextForm(onCommand)
  const { box, text, commands, people, active } = form
  useLayoutEffect(() => {
    if (focusNow || matchMedia('(hover: hover)').matches) box.current?.focus({ preventScroll: true })
  }, [])
  useLayoutEffect(() => grow(box.current), [text])
  const name = `${channel.value?.kind === 'dm' ? '@' : '#'}${channel.value?.name ?? ''}`
  const open = commands !== null || people.length > 0
  const left = longest - text.length
  const noteCaret = ({ currentTarget: area }: AreaEvent) => form.setCaret(area.selectionStart)
  function startCommand(): void {
    form.write('/')
    box.current?.focus()
  }
  return html`
    ${open && html`<${Picker} commands=${commands} people=${people} active=${active} onActive=${form.setActive} onPick=${form.pick} />`}
    <div class="entry">
      <button type="button" class="round" aria-label="Commands" title="Commands" onClick=${startCommand}>
        <${Icon} name="bolt" />
      </button>
      <textarea
        id="composer"
        ref=${box}
        rows="1"
        value=${text}
        placeholder=${isNarrow.value ? `Message ${name}` : `Message ${name}, or type / for commands`}
        aria-label=${`Message ${name}`}
        aria-autocomplete="list"
        aria-controls=${open ? 'composer-list' : null}
        aria-activedescendant=${open && form.count > 0 ? `composer-list-${active}` : null}
        onInput=${({ currentTarget: area }: AreaEvent) => form.write(area.value, area.selectionStart)}
        onKeyUp=${noteCaret}
        onClick=${noteCaret}
        onKeyDown=${(event: KeyboardEvent) => onKey(event, form)}
      ></textarea>
      ${left < 200 && html`<span class=${`left ${left < 0 ? 'over' : ''}`}>${left}</span>`}
      <button type="button" class="round send" aria-label="Send" disabled=${text.trim() === ''} onClick=${form.send}>
        <${Icon} name="send" />
      </button>
    </div>
  `
}

interface AreaEvent {
  readonly currentTarget: HTMLTextAreaElement
}

/** Keeps the unsent text and its completions. */
function useTextForm(onCommand: TextEntryProps['onCommand']) {
  const here = channel.value
  const draftKey = `${me.value?.id} ${here?.id}`
  const [text, setText] = useState(drafts.get(draftKey) ?? '')
  const [caret, setCaret] = useState(0)
  const [active, setActive] = useState(0)
  const [closed, setClosed] = useState(false)
  const box = useRef<HTMLTextAreaElement>(null)
  const commands = closed ? null : commandsFor(text)
  const mention = closed || commands !== null ? null : mentionBefore(text, caret)
  const people = mention === null ? [] : mentionSuggestions(mention)

  function choose(command: CommandView, rest: string): void {
    drafts.delete(draftKey)
    onCommand(command, rest)
  }
  function write(next: string, at = next.length): void {
    drafts.set(draftKey, next)
    const named = namedCommand(next)
    if (named !== undefined) choose(named.command, named.rest)
    setText(next)
    setCaret(at)
    setActive(0)
    setClosed(false)
  }
  return {
    ...{ box, text, write, setCaret, commands, people, active, setActive },
    count: commands?.length ?? people.length,
    closeList: () => setClosed(true),
    pick(index: number): void {
      const command = commands?.[index]
      const person = people[index]
      if (command !== undefined) choose(command, '')
      else if (person !== undefined && mention !== null) {
        const before = text.slice(0, mention.at) + person.insert
        write(before + text.slice(caret), before.length)
        queueMicrotask(() => box.current?.setSelectionRange(before.length, before.length))
      }
    },
    async send(): Promise<void> {
      if (here === null || text.trim() === '') return
      const replied = replyingTo.value?.channelId === here.id ? replyingTo.value.id : undefined
      write('')
      const sent = await tell(api.say(here.id, text, replied))
      if (sent === undefined) write(text)
      else replyingTo.value = null
    },
  }
}

function onKey(event: KeyboardEvent, form: ReturnType<typeof useTextForm>): void {
  const { active, count } = form
  const next = stepped(event.key, active, count)
  const takes = (event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey
  if (next !== undefined) form.setActive(next)
  else if (count > 0 && takes) form.pick(active)
  else if (event.key === 'Escape' && count > 0) form.closeList()
  else if (event.key === 'Escape' && replyingTo.value !== null) replyingTo.value = null
  else if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) void form.send()
  else return
  event.preventDefault()
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
  if (commands === null)
    return html`<${Suggestions} ...${shared} label="Mentions" head=${people[0]?.insert.startsWith('#') ? 'Channels' : 'Members and roles'} items=${people} />`
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

/** Lists matching commands; null while no command is being typed. */
function commandsFor(text: string): readonly CommandView[] | null {
  if (!/^\/[^\n]*$/.test(text)) return null
  const slash = commandsHere.value.filter(({ kind }) => kind === 'slash')
  return best(slash, text.slice(1), ({ path, label }) => [path, label])
}

/**
 * Finds the command that a text chooses. A whole command with a space after it chooses that command (`/tip ` or
 * `/voucher create …`), and the rest of the text goes into its first option.
 */
function namedCommand(text: string): { command: CommandView; rest: string } | undefined {
  if (!text.startsWith('/')) return undefined
  const typed = text.slice(1)
  for (const command of commandsHere.value) {
    for (const name of [command.path, command.label]) {
      if (command.kind === 'slash' && typed.startsWith(`${name} `))
        return { command, rest: typed.slice(name.length + 1) }
    }
  }
  return undefined
}

function grow(area: HTMLTextAreaElement | null): void {
  if (area === null) return
  area.style.height = 'auto'
  area.style.height = `${Math.min(area.scrollHeight, 240)}px`
}
