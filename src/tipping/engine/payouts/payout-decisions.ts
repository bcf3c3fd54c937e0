import { msats, ZERO } from '../../../lib/money/amount.ts'
import type { Payout } from '../../generated/client.ts'
import type { Decisions } from '../outgoing/decisions.ts'
import { changeForOutcome } from '../outgoing/record-outcome.ts'
import { PAYOUTS } from './payout-kind.ts'

export const PAYOUT_DECISIONS: Decisions<Payout> = {
  name: 'payout',
  table: (client) => client.payout,
  unknown: () => ({ state: 'unknown' }),
  isUnknown: (_, { state }) => state === 'unknown',
  endOf: ({ state }) => (state === 'paid' ? 'paid' : state === 'kept' ? 'failed' : undefined),

  noun: 'payout',
  said: { paid: 'was paid', failed: 'did not leave' },
  particulars: ({ amount, lightningId: to, sentAt, createdAt, transactionId }) => {
    return { amount: msats(amount), to, since: sentAt ?? createdAt, remoteId: transactionId ?? undefined }
  },

  decided(context, payout, { outcome }, reason) {
    const { transactionId, receiverId } = payout
    return changeForOutcome(
      context,
      PAYOUTS,
      payout,
      outcome === 'paid'
        ? { kind: 'paid', transactionId, receiverId, fee: ZERO }
        : { kind: 'failed', because: 'refused', reason },
    )
  },

  toTheWallet: 'failed',
  misplaced: ({ amount }) => msats(amount),
  corrected: (_, { outcome }, reason) =>
    outcome === 'failed'
      ? { state: 'kept', because: 'refused', reason }
      : { state: 'paid', because: null, reason: null },
}
