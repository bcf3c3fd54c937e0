import { encodeLnurl, lightningUri } from '../../lib/lightning/lnurl.ts'
import { readPayerData } from '../../lib/lightning/payer-data.ts'
import type { CallbackWire, operations, WireOf } from '../../payments-api/payments-api.ts'
import { UNIT } from '../core/chart-of-accounts.ts'
import type { Tx } from '../core/database.ts'
import { recordCallback } from '../engine/outbox/record-callback.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import { zapperOf } from '../engine/zaps/zaps.ts'
import type { Invoice, StaticCharge, StaticChargePayment } from '../generated/client.ts'

/** The path of static charges' pay parameters. */
export const STATIC_CHARGE_PATH = '/v0/request-static-charges'

export type StaticChargeStatus = 'active' | 'disabled'

/** Returns a static charge's status, which is `active` while it accepts further payments. */
export function statusOf(charge: Pick<StaticCharge, 'slots' | 'allowedSlots'>): StaticChargeStatus {
  return charge.slots < charge.allowedSlots ? 'active' : 'disabled'
}

/**
 * Returns the URL at which a wallet reads a static charge's pay parameters (LUD-06). The static charge's QR code
 * encodes this URL.
 */
export function staticChargeUrl({ publicUrl }: Pick<ServiceParts, 'publicUrl'>, id: string): string {
  return `${publicUrl}${STATIC_CHARGE_PATH}/${id}`
}

/** Converts a static charge to the interface's form. */
export function showStaticCharge(
  parts: Pick<ServiceParts, 'publicUrl'>,
  charge: StaticCharge,
): WireOf<typeof operations.getStaticCharge>['data'] {
  const request = encodeLnurl(staticChargeUrl(parts, charge.id))
  return {
    id: charge.id,
    unit: UNIT,
    slots: charge.slots,
    minAmount: charge.minAmount.toString(),
    maxAmount: charge.maxAmount.toString(),
    createdAt: charge.createdAt.toISOString(),
    expiresAt: null,
    internalId: charge.internalId,
    description: charge.description,
    callbackUrl: charge.callbackUrl,
    allowedSlots: charge.allowedSlots,
    successMessage: charge.successMessage,
    status: charge.status as StaticChargeStatus,
    invoice: { request, uri: lightningUri(request) },
  }
}

/** Converts the payer to the interface's form; empty if the payer is not identified (LUD-18, NIP-57). */
export function showPayer({ payerData, zapper }: Pick<StaticChargePayment, 'payerData' | 'zapper'>) {
  const { name = '', identifier = '', pubkey = '' } = readPayerData(payerData) ?? {}
  return name + identifier + pubkey + zapper === '' ? {} : { payer: { name, identifier, pubkey, nostr: zapper } }
}

/**
 * Notes a static charge's payment in the transaction that credits the payment: uses the next slot, disables the charge
 * if no slot is left, and notifies the charge's creator. A payment that arrives late, or beyond the slots, is accepted
 * anyway, because the money has arrived.
 */
export async function takeSlot(
  parts: ServiceParts,
  tx: Tx,
  invoice: Invoice,
  receipt: { readonly amount: bigint; readonly settledAt: Date },
): Promise<void> {
  const id = invoice.resourceId
  const counted = await tx.staticCharge.update({ where: { id }, data: { slots: { increment: 1 } } })
  const charge = await tx.staticCharge.update({ where: { id }, data: { status: statusOf(counted) } })
  const payment = {
    id: parts.entropy.uuid(),
    staticChargeId: id,
    slot: charge.slots,
    paymentHash: invoice.paymentHash,
    amount: receipt.amount,
    comment: invoice.comment,
    payerData: invoice.payerData,
    zapper: zapperOf(invoice),
    settledAt: receipt.settledAt,
  }
  await tx.staticChargePayment.create({ data: payment })
  const body: CallbackWire<'staticCharge'> = {
    ...showStaticCharge(parts, charge),
    payment: {
      id: payment.id,
      amount: payment.amount.toString(),
      comment: payment.comment,
      settledAt: payment.settledAt.toISOString(),
      ...showPayer(payment),
    },
  }
  await recordCallback(parts, tx, {
    projectId: charge.projectId,
    resource: `static-charge:${id}`,
    url: charge.callbackUrl,
    kind: 'staticCharge',
    body,
  })
}
