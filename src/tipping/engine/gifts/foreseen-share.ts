import type { ForeseenShare } from '../foreseen-tip.ts'
import type { Onward } from './onward.ts'

/**
 * Returns a share in the state that it has as soon as it is given. `until`: when the time to claim the share ends for a
 * recipient who has never used the bot; undefined for everybody else.
 */
export function foreseenShare(
  { until, onward }: { readonly until: Date | undefined; readonly onward: readonly Onward[] },
  about: Pick<ForeseenShare, 'recipient' | 'amount'>,
): ForeseenShare {
  if (until !== undefined) return { ...about, state: 'parked', until }
  return { ...about, state: onward.some(({ payouts }) => payouts.length > 0) ? 'sending' : 'credited' }
}
