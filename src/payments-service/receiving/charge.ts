import type { CallbackWire, operations, WireOf } from '../../payments-api/payments-api.ts'
import { UNIT } from '../books.ts'
import type { Tx } from '../database.ts'
import type { Charge } from '../generated/client.ts'
import { recordCallback } from '../outbox/record-callback.ts'
import type { ServiceParts } from '../parts.ts'

export type ChargeStatus = 'CHARGE_PENDING' | 'CHARGE_COMPLETED' | 'CHARGE_EXPIRED'

/** A charge as its creation shows it. */
export function showNewCharge(
  charge: Omit<Charge, 'confirmedAt'>,
): WireOf<typeof operations.createGamertagCharge>['data'] {
  return {
    unit: UNIT,
    status: charge.status as ChargeStatus,
    amount: charge.amount.toString(),
    createdAt: charge.createdAt.toISOString(),
    internalId: charge.internalId,
    callbackUrl: charge.callbackUrl,
    description: charge.description,
    invoiceRequest: charge.invoiceRequest,
    invoiceExpiresAt: charge.expiresAt.toISOString(),
    invoiceDescriptionHash: null,
    id: charge.id,
  }
}

/** A charge as its GET and its callback show it. */
export function showCharge(charge: Charge): CallbackWire<'charge'> {
  return {
    ...showNewCharge(charge),
    confirmedAt: charge.confirmedAt?.toISOString() ?? null,
    invoice: { request: charge.invoiceRequest },
  }
}

/**
 * Ends a charge in the transaction that credits it, or that learned that it can no longer be paid, and tells whoever
 * made it. A charge that was paid after all is completed, whatever it was before.
 */
export async function endCharge(
  parts: ServiceParts,
  tx: Tx,
  id: string,
  end: { readonly status: 'CHARGE_COMPLETED' | 'CHARGE_EXPIRED'; readonly confirmedAt: Date | null },
): Promise<void> {
  const charge = await tx.charge.update({ where: { id }, data: end })
  await recordCallback(parts, tx, {
    projectId: charge.projectId,
    resource: `charge:${id}`,
    url: charge.callbackUrl,
    kind: 'charge',
    body: showCharge(charge),
  })
}
