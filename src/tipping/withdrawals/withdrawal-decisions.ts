import { msats } from '../../lib/money/amount.ts'
import type { Decisions } from '../engine/outgoing/decisions.ts'
import { changeForOutcome } from '../engine/outgoing/record-outcome.ts'
import type { Withdrawal } from '../generated/client.ts'
import { logReturnedLines } from './log-returned-lines.ts'
import { isUnpriced, isUntold, untold } from './open-withdrawals.ts'
import { WITHDRAWALS } from './withdrawal-kind.ts'

export const WITHDRAWAL_DECISIONS: Decisions<Withdrawal> = {
  name: 'withdrawal',
  table: (client) => client.withdrawal,
  unknown: ({ clock }) => ({ OR: [{ state: 'unknown' }, untold(clock.now())] }),
  isUnknown: ({ clock }, withdrawal) => withdrawal.state === 'unknown' || isUntold(withdrawal, clock.now()),
  endOf(withdrawal) {
    if (withdrawal.state === 'returned') return 'failed'
    return withdrawal.state === 'paid' && !isUnpriced(withdrawal) ? 'paid' : undefined
  },
  isPaidForCertain: isUnpriced,

  noun: 'withdrawal',
  said: { paid: 'was paid', failed: 'did not leave' },
  particulars: ({ amount, destination, invoice, sentAt, createdAt, remoteId }) => {
    const to = destination ?? invoice ?? remoteId ?? ''
    return { amount: msats(amount), to, since: sentAt ?? createdAt, remoteId: remoteId ?? undefined }
  },

  decided(context, withdrawal, { id, outcome }, reason) {
    const remoteId = withdrawal.remoteId ?? `decided-${id}`
    // The fee is unknown, so its whole limit counts, to which the member has agreed.
    const fee = msats(withdrawal.feeLimit)
    return changeForOutcome(
      context,
      WITHDRAWALS,
      withdrawal,
      outcome === 'paid' ? { kind: 'paid', remoteId, fee } : { kind: 'failed', because: 'failed', reason },
    )
  },

  toTheWallet: 'failed',
  misplaced: ({ amount, fee, feeLimit }) => msats(amount + (fee ?? feeLimit)),
  corrected: ({ feeLimit }, { outcome }, reason) =>
    outcome === 'failed'
      ? { state: 'returned', because: 'failed', reason, fee: null }
      : { state: 'paid', because: null, reason: null, fee: feeLimit },
  logReturn: (context, tx, { id }) => logReturnedLines(context, tx, id),
}
