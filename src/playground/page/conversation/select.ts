import { html, useId, useLayoutEffect, useRef, useState, type VNode } from '../html.ts'
import { Icon } from '../sides/icons.ts'
import { useAway } from '../sides/use-away.ts'
import { personById, roleById, server } from '../state/session.ts'
import type { Component, SelectOption } from './component.ts'

interface SelectProps {
  component: Component
  busy?: boolean
  onChoose: (values: readonly string[]) => void
  /**
   * The label of the button in a form, which keeps the choices. A message's menu has no label, and closes after a
   * choice.
   */
  label?: string
}

/** Draws a menu of options, people, roles or channels, for one or several choices. */
export function Select({ component, busy = false, onChoose, label }: SelectProps): VNode {
  const options = optionsOf(component)
  const [open, setOpen] = useState(false)
  const [chosen, setChosen] = useState<readonly string[]>(defaults(component))
  const [active, setActive] = useState(0)
  const root = useRef<HTMLDivElement>(null)
  const listId = useId()
  const most = component.max_values ?? 1
  const close = () => {
    if (most > 1 && open) onChoose(chosen)
    setOpen(false)
  }
  useAway(root, open, close)
  function show(): void {
    setActive(
      Math.max(
        0,
        options.findIndex(({ value }) => chosen.includes(value)),
      ),
    )
    setOpen(true)
  }
  function take(value: string): void {
    if (most === 1) {
      setChosen([value])
      setOpen(false)
      onChoose([value])
    } else {
      const next = chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value]
      if (next.length <= most) setChosen(next)
    }
  }
  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      if (open) setActive((active + step + options.length) % options.length)
      else show()
    } else if (open && (event.key === 'Enter' || event.key === ' ')) {
      event.preventDefault()
      const option = options[active]
      if (option !== undefined) take(option.value)
    } else if (open && event.key === 'Tab') close()
  }
  const names = options.filter(({ value }) => chosen.includes(value)).map((option) => option.label)
  const placeholder = component.placeholder ?? 'Make a selection'
  return html`<div class=${`select ${busy ? 'busy' : ''}`} ref=${root}>
    <button
      type="button"
      class="select-button"
      role="combobox"
      aria-expanded=${open}
      aria-controls=${listId}
      aria-haspopup="listbox"
      aria-label=${label ?? placeholder}
      aria-activedescendant=${open ? `${listId}-${active}` : null}
      disabled=${component.disabled === true}
      onClick=${() => (open ? close() : show())}
      onKeyDown=${onKeyDown}
    >
      <span class=${names.length === 0 ? 'placeholder' : ''}>${names.length === 0 ? placeholder : names.join(', ')}</span>
      <${Icon} name=${open ? 'up' : 'down'} size=${18} />
    </button>
    <${Options} id=${listId} open=${open} options=${options} chosen=${chosen} active=${active} most=${most} onActive=${setActive} onTake=${take} />
  </div>`
}

interface OptionsProps {
  id: string
  open: boolean
  options: readonly SelectOption[]
  chosen: readonly string[]
  active: number
  most: number
  onActive: (index: number) => void
  onTake: (value: string) => void
}

function Options({ id, open, options, chosen, active, most, onActive, onTake }: OptionsProps): VNode {
  const list = useRef<HTMLUListElement>(null)
  const [room, setRoom] = useState<Room>({ up: false, height: tallest })
  useLayoutEffect(() => {
    if (open && list.current !== null) setRoom(roomFor(list.current))
  }, [open])
  useLayoutEffect(() => {
    if (open) list.current?.querySelector('.active')?.scrollIntoView({ block: 'nearest' })
  }, [open, active, room])
  return html`<ul
    id=${id}
    ref=${list}
    class=${`select-list ${room.up ? 'up' : ''}`}
    style=${{ '--room': `${room.height}px` }}
    role="listbox"
    aria-label="Options"
    aria-multiselectable=${most > 1}
    hidden=${!open}
    onMouseDown=${(event: Event) => event.preventDefault()}
  >
    ${options.map(
      (option, at) => html`<li
        key=${option.value}
        id=${`${id}-${at}`}
        role="option"
        class=${at === active ? 'active' : ''}
        aria-selected=${chosen.includes(option.value)}
        onPointerMove=${() => onActive(at)}
        onClick=${() => onTake(option.value)}
      >
        ${option.emoji?.name && html`<span aria-hidden="true">${option.emoji.name}</span>`}
        <span><b>${option.label}</b>${option.description && html`<small>${option.description}</small>`}</span>
        ${chosen.includes(option.value) && html`<${Icon} name="check" size=${18} />`}
      </li>`,
    )}
    ${most > 1 && html`<li class="select-done" role="presentation">Choose up to ${most}, then press Escape or click elsewhere.</li>`}
  </ul>`
}

interface Room {
  /** Whether the list is above the menu's button instead of below it. */
  readonly up: boolean
  readonly height: number
}

const tallest = 300

/** Finds room for a list: below its button, or above it if the list does not fit below and there is more room above. */
function roomFor(list: HTMLElement): Room {
  const button = list.parentElement?.getBoundingClientRect()
  const around = list.closest('.conversation, dialog')?.getBoundingClientRect()
  if (button === undefined || around === undefined) return { up: false, height: tallest }
  const below = Math.min(around.bottom, innerHeight) - button.bottom - 12
  const above = button.top - Math.max(around.top, 0) - 12
  const wanted = Math.min(tallest, list.scrollHeight)
  const up = below < wanted && above > below
  return { up, height: Math.max(120, Math.min(tallest, up ? above : below)) }
}

function defaults({ options, default_values: ids }: Component): readonly string[] {
  return (
    ids?.map(({ id }) => id) ?? options?.filter((option) => option.default === true).map(({ value }) => value) ?? []
  )
}

function optionsOf({ type, options }: Component): readonly SelectOption[] {
  const here = server.value
  const people = here?.members.map(({ id }) => ({ label: personById(id)?.name ?? id, value: id })) ?? []
  const roles =
    here?.roles
      .filter(({ id }) => id !== here.id)
      .map(({ id }) => ({ label: `@${roleById(id)?.name ?? id}`, value: id })) ?? []
  switch (type) {
    case 5:
      return people
    case 6:
      return roles
    case 7:
      return [...people, ...roles]
    case 8:
      return here?.channels.map(({ id, name }) => ({ label: `#${name}`, value: id })) ?? []
    default:
      return options ?? []
  }
}
