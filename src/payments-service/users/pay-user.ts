import type { LedgerChange } from '../../ledger/ledger.ts'
import type { Msats } from '../../lib/money/amount.ts'
import { type Holder, wallet } from '../core/chart-of-accounts.ts'
import type { Tx } from '../core/database.ts'
import { ServiceRefusal } from '../core/service-refusal.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import type { GamertagPayment } from '../generated/client.ts'

/**
 * Builds a payment from a wallet to a user: the record, and the change that moves the money and writes the record. The
 * payment is free. Throws ServiceRefusal (self_payment).
 */
export function payUser(
  parts: Pick<ServiceParts, 'clock' | 'entropy'>,
  payer: Holder,
  to: { readonly receiverId: string; readonly amount: Msats; readonly comment: string },
): { readonly payment: GamertagPayment; readonly change: LedgerChange<Tx> } {
  const receiver: Holder = { kind: 'user', id: to.receiverId }
  if (payer.kind === receiver.kind && payer.id === receiver.id) {
    throw new ServiceRefusal('self_payment', 'Payer and payee are the same wallet. Choose another payee.')
  }
  const payment: GamertagPayment = {
    id: parts.entropy.uuid(),
    transactionId: parts.entropy.uuid(),
    payerKind: payer.kind,
    payerId: payer.id,
    receiverId: to.receiverId,
    amount: to.amount,
    comment: to.comment,
    settledAt: new Date(parts.clock.now()),
  }
  const moves = [{ from: wallet(payer), to: wallet(receiver), amount: to.amount }]
  const entry = { operation: `gamertag-payment:${payment.id}`, step: 'post', moves }
  return { payment, change: { entries: [entry], rows: [{ table: 'GamertagPayment', values: { ...payment } }] } }
}
