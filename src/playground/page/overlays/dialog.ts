import { type ComponentChildren, html, useEffect, useRef, type VNode } from '../html.ts'

interface DialogProps {
  label: string
  class?: string
  onClose: () => void
  children?: ComponentChildren
}

const firstField = '.form-fields :is(input, textarea, .select-button)'

/** A modal dialog of the browser itself: it keeps the focus inside, and gives it back. */
export function Dialog({ label, class: kind = '', onClose, children }: DialogProps): VNode {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const box = dialog.current
    const before = document.activeElement as HTMLElement | null
    box?.showModal()
    // Where there are keys one begins to write at once. Elsewhere nothing is chosen yet: the browser would begin at the button that closes.
    const hasKeys = matchMedia('(hover: hover)').matches
    const first = hasKeys ? (box?.querySelector<HTMLElement>(firstField) ?? undefined) : box
    first?.focus()
    return () => {
      box?.close()
      if (before?.isConnected) before.focus()
    }
  }, [])
  const onCancel = (event: Event) => {
    event.preventDefault()
    onClose()
  }
  // Not on a click: one that began in a field, as when text is selected, may end beside the dialog.
  const onMouseDown = (event: MouseEvent) => {
    if (event.target === dialog.current) onClose()
  }
  return html`<dialog ref=${dialog} tabindex="-1" class=${`dialog ${kind}`} aria-label=${label} onCancel=${onCancel} onMouseDown=${onMouseDown}>
    ${children}
  </dialog>`
}
