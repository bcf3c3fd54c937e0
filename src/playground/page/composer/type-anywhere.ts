/**
 * Sends typing without a focused field to the composer. Keys keep their meaning for a button, a menu or a dialog; only
 * keys that would write a letter go to the composer.
 */
export function typeAnywhere(): void {
  document.addEventListener('keydown', (event) => {
    const { target, key, ctrlKey, metaKey, altKey } = event
    if (key.length !== 1 || key === ' ' || ctrlKey || metaKey || altKey || !(target instanceof HTMLElement)) return
    if (target.closest('input, textarea, [role=menu], [role=listbox], [role=option]') !== null) return
    if (document.querySelector('dialog[open]') !== null) return
    const field = document.querySelector<HTMLElement>('#composer, .command-entry [data-field]')
    field?.focus({ preventScroll: true })
  })
}
