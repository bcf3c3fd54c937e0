import type { ForeseenShare } from '../foreseen-tip.ts'
import type { Onward } from './onward.ts'

/**
 * Returns the state of a share as soon as it is given. `until`: how long somebody who has never used the bot can claim
 * it.
 */
export function foreseenShare(
  { until, onward }: { readonly until: Date | undefined; readonly onward: readonly Onward[] },
  about: Pick<ForeseenShare, 'recipient' | 'amount'>,
): ForeseenShare {
  if (until !== undefined) return { ...about, state: 'parked', until }
  return { ...about, state: onward.some(({ payouts }) => payouts.length > 0) ? 'sending' : 'credited' }
}
