import type { Move } from '../../ledger/ledger.ts'
import { OPERATOR, WALLET } from '../core/chart-of-accounts.ts'
import type { EndChange } from '../core/commit-end.ts'
import { now } from '../core/context.ts'
import { accountsOf } from '../engine/outgoing/record-outcome.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Decision } from '../generated/client.ts'
import type { Decidable } from './unknown-payments.ts'

/**
 * Returns the change that operators decided. The change's `write` throws if the provider has reported the outcome by
 * then.
 */
export async function decidedEnd(
  context: TippingContext,
  decidable: Decidable,
  decision: Decision,
  reason: string,
): Promise<EndChange> {
  const { kind, payment, ended } = decidable
  if (ended !== undefined) return await correctedEnd(context, decidable, decision, reason)
  return kind.decided(context, payment, decision, reason)
}

/**
 * Returns the change that corrects an earlier decision. Sats that are in the wallet after all go to the member, unless
 * an earlier decision already credited them to the member: then they belong to the operator. Missing sats are the
 * operator's loss, and the member's balance does not change.
 */
async function correctedEnd(
  context: TippingContext,
  { kind, payment }: Decidable,
  decision: Decision,
  reason: string,
): Promise<EndChange> {
  const { toTheWallet: outcome } = kind
  const { id, state, card } = payment
  const hadThem = await context.database.read.decision.count({ where: { payment: id, state: 'done', outcome } })
  const owner = kind.isOperators || hadThem > 0 ? OPERATOR : accountsOf(payment).account
  const amount = kind.misplaced(payment, decision)
  const move: Move =
    decision.outcome === outcome ? { from: WALLET, to: owner, amount } : { from: OPERATOR, to: WALLET, amount }
  return {
    entries: [{ operation: decision.id, step: 'post', moves: [move] }],
    write: async (tx) => {
      const data = { ...kind.corrected(payment, decision, reason), endedAt: now(context) }
      await kind.table(tx).update({ where: { id, state }, data })
      if (card !== null) await context.cards.raise(tx, [card])
      await kind.logReturn?.(context, tx, payment)
    },
  }
}
