import { html, signal, useLayoutEffect, useRef, type VNode } from '../html.ts'
import { Icon, type IconName } from '../sides/icons.ts'

export interface MenuItem {
  readonly label: string
  readonly icon?: IconName
  readonly danger?: boolean
  /** The heading above the entry. */
  readonly under?: string
  readonly run: () => void
}

interface Menu {
  readonly x: number
  readonly y: number
  readonly label: string
  readonly items: readonly MenuItem[]
  /** The emoji with which one click reacts to a message. */
  readonly quick?: readonly { readonly emoji: string; readonly run: () => void }[] | undefined
  readonly opener: HTMLElement | null
}

const menu = signal<Menu | null>(null)

/** Opens a menu at the pointer, or under the button that was used. */
export function openMenu(event: MouseEvent, about: Omit<Menu, 'x' | 'y' | 'opener'>): void {
  event.preventDefault()
  event.stopPropagation()
  const opener = event.currentTarget as HTMLElement
  const box = opener.getBoundingClientRect()
  const byPointer = event.type === 'contextmenu' && event.clientX + event.clientY > 0
  const spot = byPointer ? { x: event.clientX, y: event.clientY } : { x: box.left, y: box.bottom + 4 }
  menu.value = { ...about, ...spot, opener: byPointer ? (document.activeElement as HTMLElement) : opener }
}

function close(giveBack: boolean): void {
  const opener = menu.value?.opener
  menu.value = null
  if (giveBack) opener?.focus()
}

export function MenuLayer(): VNode | null {
  const shown = menu.value
  if (shown === null) return null
  return html`<${OpenMenu} key=${`${shown.x} ${shown.y}`} shown=${shown} />`
}

function OpenMenu({ shown }: { shown: Menu }): VNode {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    element.style.left = `${Math.max(8, Math.min(shown.x, innerWidth - element.offsetWidth - 8))}px`
    element.style.top = `${Math.max(8, Math.min(shown.y, innerHeight - element.offsetHeight - 8))}px`
    element.querySelector<HTMLElement>('[role=menuitem]')?.focus()
  }, [])
  function onKeyDown(event: KeyboardEvent): void {
    const items = [...(box.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
    const at = items.indexOf(document.activeElement as HTMLElement)
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key]
    if (step !== undefined) items.at((at + step + items.length) % items.length)?.focus()
    else if (event.key === 'Escape' || event.key === 'Tab') close(true)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const run = (item: { run: () => void }) => () => {
    close(true)
    item.run()
  }
  return html`<div class="menu-layer" onPointerDown=${() => close(false)} onContextMenu=${(event: Event) => event.preventDefault()}>
    <div
      class="menu"
      role="menu"
      aria-label=${shown.label}
      ref=${box}
      onKeyDown=${onKeyDown}
      onPointerDown=${(event: Event) => event.stopPropagation()}
    >
      ${
        shown.quick !== undefined &&
        html`<div class="menu-quick" role="none">
          ${shown.quick.map(
            (each) => html`<button
              type="button"
              role="menuitem"
              tabindex="-1"
              aria-label=${`React with ${each.emoji}`}
              onClick=${run(each)}
            >
              ${each.emoji}
            </button>`,
          )}
        </div>`
      }
      ${shown.items.map(
        (item) => html`
          ${item.under !== undefined && html`<div class="eyebrow" role="presentation">${item.under}</div>`}
          <button
            type="button"
            role="menuitem"
            tabindex="-1"
            class=${item.danger === true ? 'danger' : ''}
            onClick=${run(item)}
          >
            <span>${item.label}</span>${item.icon !== undefined && html`<${Icon} name=${item.icon} size=${18} />`}
          </button>
        `,
      )}
    </div>
  </div>`
}
