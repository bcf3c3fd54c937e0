import type { Row } from '../../../ledger/ledger.ts'
import type { Payment } from '../../generated/client.ts'
import type { NodeParts } from '../node/node-parts.ts'
import { callbackRows } from '../outbox/record-callback.ts'
import { keysendData, paymentData } from './payment-record.ts'

/** Returns the row that notifies a project of its payment's state; none for a user's payment, or for a claim. */
export function paymentCallback(parts: Pick<NodeParts, 'clock' | 'entropy'>, payment: Payment): Row[] {
  const isClaim = payment.voucherId !== null || payment.withdrawalRequestId !== null
  const about = {
    projectId: payment.payerKind === 'project' && !isClaim ? payment.payerId : null,
    resource: `payment:${payment.id}`,
    url: payment.callbackUrl,
  }
  if (payment.kind !== 'keysend') return callbackRows(parts, { ...about, kind: 'payment', body: paymentData(payment) })
  const body = {
    ...keysendData(payment),
    metadata: JSON.parse(payment.metadata),
    tlvRecords: JSON.parse(payment.tlvRecords),
  }
  return callbackRows(parts, { ...about, kind: 'keysend', body })
}
