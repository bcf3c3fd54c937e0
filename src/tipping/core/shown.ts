import { cut } from '../../lib/cut.ts'

/** Room for a Bitcoin address of the usual kind. */
const MAX_SHOWN = 60

/** As much of what somebody typed as a refusal shows them again; what was cut off ends in `…`. */
export function shown(text: string): string {
  return cut(text, MAX_SHOWN)
}
