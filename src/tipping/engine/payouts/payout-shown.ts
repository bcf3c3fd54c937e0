import type { Payout } from '../../generated/client.ts'

/**
 * Why the sats of a payout are in the member's balance here.
 * - `refused`: the provider refused the payout.
 * - `unreachable`: the provider could not be reached, and nothing was sent.
 * - `paused`: payments are paused.
 * - `interrupted`: the bot was stopped before the payout was sent.
 * - `unlinked`: the member unlinked, or the link is frozen.
 * - `misdirected`: the payout reached somebody else. The operator has compensated the member here, and the link is
 *   frozen.
 */
export type NotSentReason = 'refused' | 'unreachable' | 'paused' | 'interrupted' | 'unlinked' | 'misdirected'

/** The state of credited money, which is forwarded if its owner is linked. */
export interface PayoutShown {
  readonly state: 'credited' | 'sending' | 'unknown' | 'paid' | 'kept'
  /** The payout's id, if the payout is paid. Its receipt contains all its identifiers. */
  readonly payout?: string
  readonly because?: NotSentReason
  readonly reason?: string
}

/** Returns how to show credited money that may have been forwarded. */
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
