import type { Tx } from '../core/database.ts'
import type { PaymentDecision } from '../generated/client.ts'
import { AdministrationRefusal } from './administration-refusal.ts'

/** An operator's decision about a payment, read and checked. */
export interface Said {
  readonly id: string
  readonly at: Date
  readonly paymentId: string
  /** `paid` or `failed`. */
  readonly outcome: string
  readonly evidence: string
  readonly by: string
  /** In hex; proves `paid` alone. */
  readonly preimage?: string
}

/** Whether this decision is final: it has a preimage, or a second person agrees. */
export function isProof(open: PaymentDecision | null | undefined, { outcome, by, preimage }: Said): boolean {
  return preimage !== undefined || (open?.outcome === outcome && open.by !== by)
}

/**
 * Records the first decision, the second one that makes it proof, or another first one in its place. `corrects` is the
 * id of the corrected decision; empty for the payment itself. Throws AdministrationRefusal if one person decides twice.
 */
export async function addWord(
  tx: Tx,
  open: PaymentDecision | undefined,
  said: Said,
  corrects = '',
): Promise<PaymentDecision> {
  const { id, at, by, evidence, outcome, paymentId, preimage = null } = said
  if (open !== undefined && open.outcome === outcome && preimage === null) {
    if (open.by === by) {
      throw new AdministrationRefusal(
        `${by} has already decided on this payment. A different person must agree. If you share this account, say who you are with --by NAME.`,
      )
    }
    const second = { state: 'done', secondBy: by, secondEvidence: evidence, secondAt: at }
    return tx.paymentDecision.update({ where: { id: open.id, state: 'proposed' }, data: second })
  }
  if (open !== undefined) {
    await tx.paymentDecision.update({ where: { id: open.id, state: 'proposed' }, data: { state: 'replaced' } })
  }
  const state = preimage === null ? 'proposed' : 'done'
  return tx.paymentDecision.create({ data: { id, paymentId, outcome, preimage, state, by, evidence, at, corrects } })
}
