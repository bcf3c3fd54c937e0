import { html, useRef, useState, type VNode } from '../html.ts'
import type { Choosable } from '../state/api.ts'
import { tell } from '../state/interactions.ts'
import { switchTo } from '../state/live.ts'
import { me, people } from '../state/session.ts'
import { Avatar } from './avatar.ts'
import { Icon } from './icons.ts'
import { useAway } from './use-away.ts'

const day = 86_400_000

/** Draws "You are: alice ▾", which lets the visitor choose whom this tab plays. */
export function YouAre(): VNode | null {
  const [open, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  useAway(root, open, () => setOpen(false))
  const who = me.value
  if (who === null) return null
  function pick(id: string): void {
    setOpen(false)
    root.current?.querySelector<HTMLElement>('.you-are-button')?.focus()
    if (id !== who?.id) void tell(switchTo(id))
  }
  return html`<div class="you-are" ref=${root} data-tour="you-are">
    ${open && html`<${People} onPick=${pick} />`}
    <button
      type="button"
      class="you-are-button"
      aria-haspopup="listbox"
      aria-expanded=${open}
      title="Be somebody else"
      onClick=${() => setOpen(!open)}
    >
      <span class="with-presence"><${Avatar} person=${who} size=${34} /><span class="presence online"></span></span>
      <span class="you-are-words"><span class="eyebrow">You are</span><strong>${who.name}</strong></span>
      <${Icon} name=${open ? 'down' : 'up'} size=${18} />
    </button>
  </div>`
}

function People({ onPick }: { onPick: (id: string) => void }): VNode {
  const list = useRef<HTMLUListElement>(null)
  function move(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const options = [...(list.current?.querySelectorAll<HTMLElement>('[role=option]') ?? [])]
    const at = options.indexOf(document.activeElement as HTMLElement)
    options.at((at + step + options.length) % options.length)?.focus()
  }
  return html`<ul class="people-list" role="listbox" aria-label="Who you are" ref=${list} onKeyDown=${move}>
    ${people.value.map((person) => {
      const chosen = person.id === me.value?.id
      const onKeyDown = (event: KeyboardEvent) => {
        if (event.key !== 'Enter' && event.key !== ' ') return
        event.preventDefault()
        onPick(person.id)
      }
      return html`<li
        key=${person.id}
        role="option"
        tabindex="0"
        aria-selected=${chosen}
        data-person=${person.username}
        ref=${(element: HTMLElement | null) => chosen && element !== null && focusOnce(element)}
        onClick=${() => onPick(person.id)}
        onKeyDown=${onKeyDown}
      >
        <${Avatar} person=${person} size=${32} />
        <span class="you-are-words"><strong>${person.name}</strong><small>${about(person)}</small></span>
        ${chosen && html`<${Icon} name="check" size=${18} />`}
      </li>`
    })}
  </ul>`
}

const focused = new WeakSet<HTMLElement>()

function focusOnce(element: HTMLElement): void {
  if (focused.has(element)) return
  focused.add(element)
  queueMicrotask(() => element.focus())
}

const roles = { owner: 'Owner: /settings and /admin', operator: 'Second operator: /admin', moderator: 'Moderator' }

function about(person: Choosable): string {
  const ageDays = Math.floor((Date.now() - Date.parse(person.createdAt)) / day)
  if (person.role !== null) return roles[person.role]
  if (person.joinedAt === null) return ageDays < 2 ? 'Outsider, account made today' : 'Outsider, in no server here'
  if (ageDays < 2) return 'Newcomer, account made today'
  const memberDays = Math.floor((Date.now() - Date.parse(person.joinedAt)) / day)
  return memberDays >= 60 ? `Member for ${Math.floor(memberDays / 30)} months` : `Member for ${memberDays} days`
}
