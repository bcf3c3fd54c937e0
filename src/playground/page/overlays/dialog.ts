import { type ComponentChildren, html, useEffect, useRef, type VNode } from '../html.ts'

interface DialogProps {
  label: string
  class?: string
  onClose: () => void
  children?: ComponentChildren
}

const firstField = '.form-fields :is(input, textarea, .select-button)'

/** Draws the browser's own modal dialog, which keeps the focus inside, and returns it when the dialog closes. */
export function Dialog({ label, class: kind = '', onClose, children }: DialogProps): VNode {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const box = dialog.current
    const before = document.activeElement as HTMLElement | null
    box?.showModal()
    // On devices with a keyboard, the person types immediately. Elsewhere nothing is focused yet, because the browser
    // would focus the close button.
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
  // Not on a click: a click that began in a field, such as a text selection, may end beside the dialog.
  const onMouseDown = (event: MouseEvent) => {
    if (event.target === dialog.current) onClose()
  }
  return html`<dialog ref=${dialog} tabindex="-1" class=${`dialog ${kind}`} aria-label=${label} onCancel=${onCancel} onMouseDown=${onMouseDown}>
    ${children}
  </dialog>`
}
