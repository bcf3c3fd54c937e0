import type { Tx } from '../core/database.ts'
import type { PaymentDecision } from '../generated/client.ts'
import { AdministrationRefusal } from './administration-refusal.ts'

/** An operator's decision about a payment, after it has been checked. */
export interface Said {
  readonly id: string
  readonly at: Date
  readonly paymentId: string
  /** The payment's outcome: `paid` or `failed`. */
  readonly outcome: string
  readonly evidence: string
  readonly by: string
  /** The preimage in hex, which proves `paid` without a second person. */
  readonly preimage?: string
}

/** Returns whether a decision is final: it has a preimage, or agrees with another person's open decision. */
export function isProof(open: PaymentDecision | null | undefined, { outcome, by, preimage }: Said): boolean {
  return preimage !== undefined || (open?.outcome === outcome && open.by !== by)
}

/**
 * Records a decision: the first one, a second person's agreement (which makes the first decision proof), or a different
 * decision (which replaces the first). `corrects` is the id of the decision to be corrected; empty for a decision about
 * an open payment. Throws AdministrationRefusal if one person makes the same decision twice.
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
