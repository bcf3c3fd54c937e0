import { msats } from '../../lib/money/amount.ts'
import { atPresentProvider, isPresent } from '../engine/alerts/present-provider.ts'
import type { Decisions } from '../engine/outgoing/decisions.ts'
import { changeForOutcome } from '../engine/outgoing/record-outcome.ts'
import type { Redemption, Voucher } from '../generated/client.ts'
import { changeForRevocation } from './end-revocation.ts'
import { logReturnedCodes } from './log-returned-codes.ts'
import { REDEMPTIONS } from './redemption-kind.ts'
import { VOUCHERS } from './voucher-kind.ts'

const MADE = ['live', 'redeemed', 'revoked']

function particularsOf({ amount, revokeAskedAt, sentAt, createdAt, voucherId }: Voucher) {
  const since = revokeAskedAt ?? sentAt ?? createdAt
  return { amount: msats(amount), to: '', since, remoteId: voucherId ?? undefined }
}

/**
 * The decisions on whether a code was made. Operators never see a code, because anybody who reads it could redeem it.
 */
export const VOUCHER_DECISIONS: Decisions<Voucher> = {
  name: 'voucher',
  table: (client) => client.voucher,
  concerns: ({ state }) => !MADE.includes(state),
  unknown: () => ({ state: 'unknown' }),
  isUnknown: (_, { state }) => state === 'unknown',
  // A failed voucher costs as much as a lost code.
  endOf: ({ state, fee }) => (state === 'failed' ? (fee === null ? 'failed' : 'paid') : undefined),

  noun: 'creation of the voucher',
  said: { paid: 'made a code that nobody here knows', failed: 'made no code' },
  particulars: particularsOf,

  decided: (context, voucher, { outcome }, reason) =>
    changeForOutcome(
      context,
      VOUCHERS,
      voucher,
      outcome === 'paid' ? { kind: 'paid', made: null, reason } : { kind: 'failed', because: 'refused', reason },
    ),

  toTheWallet: 'failed',
  // The member was compensated immediately for a voucher with an unknown outcome.
  isOperators: true,
  misplaced: ({ amount, feeLimit }) => msats(amount + feeLimit),
  corrected: ({ feeLimit }, { outcome }, reason) => ({ reason, fee: outcome === 'failed' ? null : feeLimit }),
}

/** The decisions on whether a code was taken back or redeemed. */
export const REVOCATION_DECISIONS: Decisions<Voucher> = {
  name: 'revocation',
  table: (client) => client.voucher,
  concerns: ({ state }) => MADE.includes(state),
  unknown: (context) => ({
    state: 'live',
    OR: [{ revoking: true }, { NOT: { provider: atPresentProvider(context) } }],
  }),
  isUnknown: (context, { state, revoking, provider }) =>
    state === 'live' && (revoking || !isPresent(context, provider)),
  endOf: ({ state }) => (state === 'redeemed' ? 'paid' : state === 'revoked' ? 'failed' : undefined),

  noun: 'voucher',
  said: { paid: 'was redeemed by somebody', failed: 'was taken back' },
  particulars: particularsOf,

  decided: (context, voucher, { outcome }) =>
    changeForRevocation(context, voucher, outcome === 'paid' ? 'redeemed' : 'revoked'),

  toTheWallet: 'failed',
  misplaced: ({ amount }) => msats(amount),
  corrected: (_, { outcome }) => ({ state: outcome === 'failed' ? 'revoked' : 'redeemed' }),
  logReturn: logReturnedCodes,
}

/** The decisions on whether a code's sats have arrived. Only the provider knows the code's value. */
export const REDEMPTION_DECISIONS: Decisions<Redemption> = {
  name: 'redemption',
  table: (client) => client.redemption,
  unknown: () => ({ state: 'unknown' }),
  isUnknown: (_, { state }) => state === 'unknown',
  endOf: ({ state }) => (state === 'redeemed' ? 'paid' : state === 'failed' ? 'failed' : undefined),
  amountIsSaid: true,

  noun: 'redemption of a code',
  said: { paid: 'brought its sats', failed: 'brought nothing' },
  particulars: ({ amount, createdAt: since }) => {
    return { amount: amount === null ? undefined : msats(amount), to: '', since, remoteId: undefined }
  },

  decided: (context, redemption, { outcome, amount }, reason) =>
    changeForOutcome(
      context,
      REDEMPTIONS,
      redemption,
      outcome === 'paid'
        ? { kind: 'paid', amount: msats(amount ?? 0n) }
        : { kind: 'failed', because: 'failed', reason },
    ),

  toTheWallet: 'paid',
  misplaced: ({ amount: had }, { amount }) => msats(amount ?? had ?? 0n),
  corrected: (_, { outcome, amount }, reason) =>
    outcome === 'failed' ? { state: 'failed', reason, amount: null } : { state: 'redeemed', reason: null, amount },
}
