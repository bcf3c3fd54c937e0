import { createHash } from 'node:crypto'
import { type Msats, msats } from '../../lib/money/amount.ts'
import type { TlvRecord } from '../backends/backend.ts'
import type { Holder } from '../core/chart-of-accounts.ts'
import { ServiceRefusal } from '../core/service-refusal.ts'
import { refuseAboveMaximum, refuseFraction, refuseUnsendable } from '../engine/node/amount-limits.ts'
import { refuseUnsendableNow } from '../engine/node/refuse-unready.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import type { Payment } from '../generated/client.ts'
import { feeLimitOf } from './fee-limit.ts'
import { type Hold, newPayment, reserve } from './reserve-payment.ts'

export interface KeysendRequest {
  readonly payer: Holder
  readonly pubkey: string
  readonly amount: Msats
  readonly maxFee?: Msats | undefined
  readonly callbackUrl?: string | undefined
  /** Data that is not sent to the node, but returned in the callback. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  readonly tlvRecords?: readonly TlvRecord[] | undefined
}

/**
 * Pays a node without an invoice. The preimage is ours and is stored with the hold, so the payment can always be looked
 * up. Resolves as `payInvoice` does. Throws ServiceRefusal, and what `hold` throws.
 */
export async function payKeysend(parts: ServiceParts, request: KeysendRequest, hold: Hold): Promise<Payment> {
  refuseAboveMaximum(parts, request.amount)
  const destination = request.pubkey.toLowerCase()
  const { pubkey } = await parts.sender.node()
  if (!parts.backend.capabilities.keysend) {
    throw new ServiceRefusal(
      'not_offered',
      'The Lightning node of this service cannot send keysend payments. Pay a gamertag or an invoice instead.',
    )
  }
  if (destination === pubkey.toLowerCase()) {
    throw new ServiceRefusal(
      'self_payment',
      'This is the node of this service itself. Pay a gamertag or an invoice instead.',
    )
  }
  refuseFraction(parts, request.amount)
  refuseUnsendable(parts, request.amount)
  parts.sender.assertOutgoingEnabled()
  const maxFee = feeLimitOf(parts, request.amount, request.maxFee)
  await refuseUnsendableNow(parts, msats(request.amount + maxFee), request.payer)
  const preimage = parts.entropy.bytes(32)
  const payment = newPayment(parts, {
    kind: 'keysend',
    payer: request.payer,
    paymentHash: createHash('sha256').update(preimage).digest('hex'),
    amount: request.amount,
    maxFee,
    destination,
    preimage: preimage.toString('hex'),
    keysendId: parts.entropy.uuid(),
    callbackUrl: request.callbackUrl,
    metadata: JSON.stringify(request.metadata ?? {}),
    tlvRecords: JSON.stringify(request.tlvRecords ?? []),
  })
  await hold(reserve(request.payer, payment), payment.id)
  return parts.sender.send(payment)
}
