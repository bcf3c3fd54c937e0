import { type ComponentChildren, html, useEffect, useRef, type VNode } from '../html.ts'

export interface Suggestion {
  readonly key: string
  readonly title: ComponentChildren
  readonly detail?: ComponentChildren
  readonly picture?: VNode
}

interface SuggestionsProps {
  id: string
  label: string
  /** The heading of the list. */
  head?: ComponentChildren
  items: readonly Suggestion[]
  active: number
  /** The text that is shown if there is nothing to choose. */
  empty?: string | null
  onPick: (index: number) => void
  onActive: (index: number) => void
}

/** Draws the list above the composer: commands, people, choices. The focus stays in the text field. */
export function Suggestions(props: SuggestionsProps): VNode {
  const { id, label, head, items, active, empty, onPick, onActive } = props
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    list.current?.querySelector('.active')?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return html`<div class="suggestions">
    ${head !== undefined && html`<div class="suggestions-head">${head}</div>`}
    ${
      items.length > 0 &&
      html`<ul id=${id} role="listbox" aria-label=${label} ref=${list} tabindex="-1">
        ${items.map(
          (item, at) => html`<li
            key=${item.key}
            id=${`${id}-${at}`}
            role="option"
            aria-selected=${at === active}
            class=${at === active ? 'active' : ''}
            onPointerMove=${() => at !== active && onActive(at)}
            onMouseDown=${(event: Event) => event.preventDefault()}
            onClick=${() => onPick(at)}
          >
            ${item.picture}
            <span class="suggestion-title">${item.title}</span>
            ${item.detail !== undefined && html`<span class="suggestion-detail">${item.detail}</span>`}
          </li>`,
        )}
      </ul>`
    }
    ${items.length === 0 && empty != null && html`<p class="suggestions-empty" role="status">${empty}</p>`}
  </div>`
}

/** Returns the index in a list to which an arrow key moves; undefined for other keys and for an empty list. */
export function stepped(key: string, active: number, length: number): number | undefined {
  if (length === 0) return undefined
  if (key === 'ArrowDown') return (active + 1) % length
  if (key === 'ArrowUp') return active <= 0 ? length - 1 : active - 1
  return undefined
}
