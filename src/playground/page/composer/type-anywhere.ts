/**
 * Whoever types without having put the focus anywhere means the conversation. Keys go on where they were pressed as soon
 * as a field, a button or a menu has the focus.
 */
export function typeAnywhere(): void {
  document.addEventListener('keydown', (event) => {
    const { target, key, ctrlKey, metaKey, altKey } = event
    if (key.length !== 1 || key === ' ' || ctrlKey || metaKey || altKey || !(target instanceof HTMLElement)) return
    const isElsewhere = target !== document.body && !target.matches('.conversation, .message')
    if (isElsewhere || document.querySelector('dialog[open]') !== null) return
    const field = document.querySelector<HTMLElement>('#composer, .command-entry [data-field]')
    field?.focus({ preventScroll: true })
  })
}
