import type { Move } from '../../ledger/ledger.ts'
import { type Msats, msats } from '../../lib/money/amount.ts'
import type { PaymentOutcome } from '../administration/administration.ts'
import { member, OPERATOR, WALLET } from '../chart-of-accounts.ts'
import { now, type TippingContext } from '../context.ts'
import type { Tx } from '../database.ts'
import type { Decision } from '../generated/client.ts'
import type { DecidedEnd } from './decided-end.ts'
import type { Decidable } from './unknown-payments.ts'

/**
 * Puts right what an earlier decision did. Sats that are in the wallet after all go to the member, unless they have had
 * them from an earlier decision: then they are the operator's. Sats that are not there after all are the operator's loss;
 * what the member has got stays with them.
 */
export async function correctedEnd(
  context: TippingContext,
  decidable: Decidable,
  decision: Decision,
  reason: string,
): Promise<DecidedEnd> {
  const { read } = context.database
  const { kind, payment } = decidable
  const toTheWallet: PaymentOutcome = kind === 'redemption' ? 'paid' : 'failed'
  const hadThem = await read.decision.count({ where: { payment: payment.id, state: 'done', outcome: toTheWallet } })
  // A voucher that nobody heard of was made good at once.
  const owner = kind === 'voucher' || hadThem > 0 ? OPERATOR : member(payment.member)
  const amount = amountOf(decidable, decision)
  const move: Move =
    decision.outcome === toTheWallet ? { from: WALLET, to: owner, amount } : { from: OPERATOR, to: WALLET, amount }
  return {
    entries: [{ operation: decision.id, step: 'post', moves: [move] }],
    write: async (tx) => {
      await rewrite(context, tx, decidable, decision, reason)
      if (payment.card !== null) await context.cards.raise(tx, [payment.card])
    },
  }
}

function amountOf(decidable: Decidable, decision: Decision): Msats {
  switch (decidable.kind) {
    case 'withdrawal': {
      const { amount, fee, feeLimit } = decidable.payment
      return msats(amount + (fee ?? feeLimit))
    }
    case 'voucher':
      return msats(decidable.payment.amount + decidable.payment.feeLimit)
    case 'redemption':
      return msats(decision.amount ?? decidable.payment.amount ?? 0n)
    default:
      return msats(decidable.payment.amount)
  }
}

async function rewrite(
  context: TippingContext,
  tx: Tx,
  { kind, payment }: Decidable,
  { outcome, amount }: Decision,
  reason: string,
): Promise<void> {
  const failed = outcome === 'failed'
  const [where, endedAt] = [{ id: payment.id, state: payment.state }, now(context)]
  switch (kind) {
    case 'payout': {
      const end = failed
        ? { state: 'kept', because: 'refused', reason }
        : { state: 'paid', because: null, reason: null }
      await tx.payout.update({ where, data: { ...end, endedAt } })
      return
    }
    case 'withdrawal': {
      const end = failed
        ? { state: 'returned', because: 'failed', reason, fee: null }
        : { state: 'paid', because: null, reason: null, fee: payment.feeLimit }
      await tx.withdrawal.update({ where, data: { ...end, endedAt } })
      return
    }
    case 'voucher':
      await tx.voucher.update({ where, data: { reason, fee: failed ? null : payment.feeLimit, endedAt } })
      return
    case 'revocation':
      await tx.voucher.update({ where, data: { state: failed ? 'revoked' : 'redeemed', endedAt } })
      return
    default: {
      const end = failed ? { state: 'failed', reason, amount: null } : { state: 'redeemed', reason: null, amount }
      await tx.redemption.update({ where, data: { ...end, endedAt } })
    }
  }
}
