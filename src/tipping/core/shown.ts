import { cut } from '../../lib/cut.ts'

/** The most characters that are shown, which leave room for a usual Bitcoin address. */
const MAX_SHOWN = 60

/** Shortens a typed text for display in a refusal. A shortened text ends in `…`. */
export function shown(text: string): string {
  return cut(text, MAX_SHOWN)
}
