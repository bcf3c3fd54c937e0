import type { Payout } from '../../generated/client.ts'

/**
 * Why a payout was kept in the balance here.
 * - `refused`: the provider said no.
 * - `unreachable`: the provider could not be reached, and nothing was sent.
 * - `paused`: nothing leaves at the moment.
 * - `interrupted`: the bot was stopped before it was sent.
 * - `unlinked`: the member unlinked, or the link is frozen.
 * - `misdirected`: it reached somebody else; the operator has made it good here, and the link is frozen.
 */
export type NotSentReason = 'refused' | 'unreachable' | 'paused' | 'interrupted' | 'unlinked' | 'misdirected'

/** State of money that was credited, and forwarded if its owner is linked. */
export interface PayoutShown {
  readonly state: 'credited' | 'sending' | 'unknown' | 'paid' | 'kept'
  /** The payout itself, once paid: its receipt has all its identifiers. */
  readonly payout?: string
  readonly because?: NotSentReason
  readonly reason?: string
}

/** How money that was credited, and perhaps sent on, is shown. */
export function showPayout(payout: Payout | undefined): PayoutShown {
  if (payout === undefined) return { state: 'credited' }
  switch (payout.state) {
    case 'reserved':
    case 'sending':
      return { state: 'sending' }
    case 'unknown':
      return { state: 'unknown' }
    case 'paid':
      return { state: 'paid', payout: payout.id }
    case 'misdirected':
      return { state: 'kept', because: 'misdirected' }
    default:
      return {
        state: 'kept',
        because: payout.because as PayoutShown['because'],
        reason: payout.reason ?? undefined,
      }
  }
}
