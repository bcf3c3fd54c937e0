import type { PayoutShown } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import { meaningOf, providerReason } from '../refusals/provider-reason.ts'

/** Explains, in a clause without a full stop, why sats are in the member's balance and not in the intended wallet. */
export function whyNotSent(
  { because = 'refused', reason }: Pick<PayoutShown, 'because' | 'reason'>,
  t: Translator,
): string {
  if (because === 'refused' && reason !== undefined) {
    return t('notSent.refusedBecause', { reason: providerReason(reason, t) })
  }
  // The provider was there and said that it cannot send, which is more than being unreachable.
  return (because === 'unreachable' && meaningOf(reason, t)) || t(`notSent.${because}`)
}
