import { type ComponentChildren, html, useEffect, useRef, type VNode } from '../html.ts'

interface DialogProps {
  label: string
  class?: string
  onClose: () => void
  children?: ComponentChildren
}

/** A modal dialog of the browser itself: it keeps the focus inside, and gives it back. */
export function Dialog({ label, class: kind = '', onClose, children }: DialogProps): VNode {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const box = dialog.current
    const before = document.activeElement as HTMLElement | null
    box?.showModal()
    return () => {
      box?.close()
      if (before?.isConnected) before.focus()
    }
  }, [])
  const onCancel = (event: Event) => {
    event.preventDefault()
    onClose()
  }
  const onClick = (event: MouseEvent) => {
    if (event.target === dialog.current) onClose()
  }
  return html`<dialog ref=${dialog} class=${`dialog ${kind}`} aria-label=${label} onCancel=${onCancel} onClick=${onClick}>
    ${children}
  </dialog>`
}
