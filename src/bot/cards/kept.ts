import type { PayoutShown } from '../../tipping/tipping.ts'
import { quotable } from '../refusal-words.ts'
import type { Words } from '../words.ts'

const MAX_REASON_LENGTH = 150

/** Why sats are in the balance here and not in the wallet that they were meant for: a clause without its full stop. */
export function whyKept(
  { because = 'refused', reason }: Pick<PayoutShown, 'because' | 'reason'>,
  words: Words,
): string {
  if (because === 'refused' && reason !== undefined) {
    return words.say('kept.refusedBecause', { reason: quotable(reason, MAX_REASON_LENGTH) })
  }
  return words.say(`kept.${because}`)
}
