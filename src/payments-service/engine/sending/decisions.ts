import type { Tx } from '../../core/database.ts'
import type { Payment, PaymentDecision } from '../../generated/client.ts'

/** The message of a payment that failed because operators decided so. */
export const NOTHING_SENT = 'The operators of this service have found that nothing was sent.'

/** Returns the valid decision about a payment, which is complete and not corrected; undefined if there is none. */
export async function validDecision(
  read: Pick<Tx, 'paymentDecision'>,
  paymentId: string,
): Promise<PaymentDecision | undefined> {
  const done = await read.paymentDecision.findMany({ where: { paymentId, state: 'done' } })
  const corrected = new Set(done.map(({ corrects }) => corrects))
  return done.find(({ id }) => !corrected.has(id))
}

/** Whether operators ended a payment without proof of its outcome. */
export function endedByWord({ status, preimage, failure }: Pick<Payment, 'status' | 'preimage' | 'failure'>): boolean {
  return status === 'completed' ? preimage === null : status === 'failed' && failure === NOTHING_SENT
}
