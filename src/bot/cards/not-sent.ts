import type { PayoutShown } from '../../tipping/tipping.ts'
import { quotable } from '../discord/refusal-text.ts'
import type { Translator } from '../i18n/translator.ts'

const MAX_REASON_LENGTH = 150

/** Why sats are in the balance here and not in the wallet that they were meant for: a clause without its full stop. */
export function whyNotSent(
  { because = 'refused', reason }: Pick<PayoutShown, 'because' | 'reason'>,
  t: Translator,
): string {
  if (because === 'refused' && reason !== undefined) {
    return t('notSent.refusedBecause', { reason: quotable(reason, MAX_REASON_LENGTH) })
  }
  return t(`notSent.${because}`)
}
