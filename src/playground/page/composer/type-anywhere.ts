/**
 * Moves the focus to the composer as soon as a person types while no field has it. Only keys that write a character
 * move the focus. Other keys keep their meaning, and so do all keys in a menu or a dialog.
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
