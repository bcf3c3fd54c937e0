import type { Entry, Move } from '../../ledger/ledger.ts'
import { type Msats, msats, ZERO } from '../../lib/amount.ts'
import { member, OPERATOR, WALLET } from '../books.ts'
import { now, type TippingContext } from '../context.ts'
import type { Tx } from '../database.ts'
import { changeForPayout } from '../payouts/end-payout.ts'
import { changeForWithdrawal } from '../withdrawals/record-withdrawal.ts'
import type { PaymentOutcome } from './oversight.ts'
import type { Decidable } from './unknown-payments.ts'

export interface DecidedEnd {
  readonly entries: readonly Entry[]
  readonly write: (tx: Tx) => Promise<void>
}

/** What two operators' decision changes. `decision` names the entry when it corrects an earlier end. */
export function decidedEnd(
  context: TippingContext,
  decidable: Decidable,
  outcome: PaymentOutcome,
  { decision, reason }: { readonly decision: string; readonly reason: string },
): DecidedEnd {
  if (decidable.ended !== undefined) return correction(context, decidable, outcome, { decision, reason })
  return decidable.kind === 'payout'
    ? endOfPayout(context, decidable, outcome, reason)
    : endOfWithdrawal(context, decidable, outcome, { decision, reason })
}

type Of<Kind> = Extract<Decidable, { kind: Kind }>

function endOfPayout(context: TippingContext, { payment }: Of<'payout'>, outcome: PaymentOutcome, reason: string) {
  const { transactionId, receiverId } = payment
  return changeForPayout(
    context,
    payment,
    outcome === 'paid'
      ? { kind: 'paid', transactionId, receiverId, fee: ZERO }
      : { kind: 'kept', because: 'refused', reason },
  )
}

/** The fee is not known: the whole of its limit is counted, which the member has agreed to. */
function endOfWithdrawal(
  context: TippingContext,
  { payment }: Of<'withdrawal'>,
  outcome: PaymentOutcome,
  { decision, reason }: { readonly decision: string; readonly reason: string },
) {
  const remoteId = payment.remoteId ?? `decided-${decision}`
  return changeForWithdrawal(
    context,
    payment,
    outcome === 'paid'
      ? { kind: 'paid', remoteId, fee: msats(payment.feeLimit) }
      : { kind: 'returned', because: 'failed', reason },
  )
}

/**
 * Puts right what an earlier decision did. It had failed after all: what left the books comes back to the member. It was
 * paid after all: what the member has got back stays with them, and the operator bears it.
 */
function correction(
  context: TippingContext,
  { kind, payment }: Decidable,
  outcome: PaymentOutcome,
  { decision, reason }: { readonly decision: string; readonly reason: string },
): DecidedEnd {
  const endedAt = now(context)
  const [id, card] = [payment.id, payment.card]
  const amount = whole({ kind, payment } as Decidable)
  const move: Move =
    outcome === 'failed' ? { from: WALLET, to: member(payment.member), amount } : { from: OPERATOR, to: WALLET, amount }
  return {
    entries: [{ operation: decision, step: 'post', moves: [move] }],
    write: async (tx) => {
      const failed = outcome === 'failed'
      if (kind === 'payout') {
        const state = failed
          ? { state: 'kept', because: 'refused', reason }
          : { state: 'paid', because: null, reason: null }
        await tx.payout.update({ where: { id }, data: { ...state, endedAt } })
      } else {
        const state = failed
          ? { state: 'returned', because: 'failed', reason, fee: null }
          : { state: 'paid', because: null, reason: null, fee: payment.feeLimit }
        await tx.withdrawal.update({ where: { id }, data: { ...state, endedAt } })
      }
      if (card !== null) await context.cards.raise(tx, [card])
    },
  }
}

function whole(decidable: Decidable): Msats {
  const { amount } = decidable.payment
  if (decidable.kind === 'payout') return msats(amount)
  return msats(amount + (decidable.payment.fee ?? decidable.payment.feeLimit))
}
