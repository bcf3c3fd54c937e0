import { useEffect, useRef } from '../html.ts'

/** Closes an element when the person clicks elsewhere, tabs out of it or presses Escape. */
export function useAway(root: { current: HTMLElement | null }, open: boolean, onAway: () => void): void {
  // The listeners stay while the element is open, but the meaning of closing changes with each choice.
  const newest = useRef(onAway)
  newest.current = onAway
  useEffect(() => {
    if (!open) return
    const close = () => newest.current()
    const onPointer = (event: PointerEvent) => {
      if (root.current?.contains(event.target as Node) !== true) close()
    }
    const onFocus = (event: FocusEvent) => {
      if (event.target instanceof Node && root.current?.contains(event.target) !== true) close()
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      close()
      root.current?.querySelector<HTMLElement>('[aria-expanded]')?.focus()
    }
    document.addEventListener('pointerdown', onPointer)
    document.addEventListener('focusin', onFocus)
    document.addEventListener('keydown', onKey, true)
    return () => {
      document.removeEventListener('pointerdown', onPointer)
      document.removeEventListener('focusin', onFocus)
      document.removeEventListener('keydown', onKey, true)
    }
  }, [open])
}
