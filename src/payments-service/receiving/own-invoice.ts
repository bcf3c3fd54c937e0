import type { AccountName, Row } from '../../ledger/ledger.ts'
import type { Msats } from '../../lib/money/amount.ts'
import type { InvoiceRequest } from '../backends/backend.ts'
import { type Holder, wallet } from '../core/chart-of-accounts.ts'
import { nothingSent, ServiceRefusal } from '../core/service-refusal.ts'
import { refuseFraction, refuseUnreceivable } from '../engine/node/amount-limits.ts'
import { refuseWithoutRoom } from '../engine/node/refuse-unready.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import type { Invoice } from '../generated/client.ts'

export type { Invoice } from '../generated/client.ts'

/** The purpose of our invoice, and the wallet that its payment credits. */
export interface InvoicePurpose {
  readonly purpose: 'charge' | 'static-charge' | 'address'
  /** The charge, the static charge, or the user who owns the Lightning Address. */
  readonly resourceId: string
  readonly payee: Holder
  /** The payer's comment (LUD-12). */
  readonly comment: string
  /** The payer data (LUD-18) to which the invoice commits; empty for none. */
  readonly payerData: string
  /** The zap (NIP-57) as `storeZap` writes it; empty for none. */
  readonly zapRequest: string
}

/**
 * An invoice that our node has made, with the row that records it. Nobody must see the invoice before that row is
 * written.
 */
export interface IssuedInvoice {
  readonly request: string
  readonly paymentHash: string
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly row: Row
}

/**
 * Has our node create an invoice. Throws ServiceRefusal: nothing_sent if the node does not answer (an invoice that
 * nobody saw harms nobody), invalid_amount and not_offered for what this node cannot do, amount_too_low and
 * amount_too_high for an amount that it cannot receive.
 */
export async function issueInvoice(
  parts: ServiceParts,
  request: Omit<InvoiceRequest, 'amount'> & { readonly amount: Msats },
  about: InvoicePurpose,
): Promise<IssuedInvoice> {
  refuseFraction(parts, request.amount)
  refuseUnreceivable(parts, request.amount)
  if (request.description.hash !== undefined) refuseWithoutHashes(parts)
  await refuseWithoutRoom(parts, request.amount)
  const createdAt = new Date(parts.clock.now())
  const created = await parts.backend.createInvoice(request).catch((error: unknown) => {
    parts.logger.warn({ err: error }, 'the node made no invoice')
    throw nothingSent('The Lightning node does not answer', error)
  })
  const { paymentHash, invoice, expiresAt, preimage = null } = created
  const values = {
    paymentHash,
    request: invoice,
    purpose: about.purpose,
    resourceId: about.resourceId,
    payeeKind: about.payee.kind,
    payeeId: about.payee.id,
    amount: request.amount,
    status: 'open',
    createdAt,
    expiresAt,
    comment: about.comment,
    payerData: about.payerData,
    zapRequest: about.zapRequest,
    preimage,
    nextLookUpAt: expiresAt,
  }
  return { request: invoice, paymentHash, createdAt, expiresAt, row: { table: 'Invoice', values } }
}

/** Throws ServiceRefusal (not_offered) if our node cannot make the invoices that LNURL needs (LUD-06). */
export function refuseWithoutHashes({ backend }: Pick<ServiceParts, 'backend'>): void {
  if (backend.capabilities.descriptionHash) return
  throw new ServiceRefusal(
    'not_offered',
    'The Lightning node of this service cannot make reusable codes. Make an invoice instead.',
  )
}

/**
 * Finds an invoice of ours by its payment hash. A text with the same hash may be another invoice: compare `request`.
 */
export async function findInvoice(parts: ServiceParts, paymentHash: string): Promise<Invoice | undefined> {
  return (await parts.database.read.invoice.findUnique({ where: { paymentHash } })) ?? undefined
}

/** Returns the wallet that our invoice's payment credits. */
export function payeeOf(invoice: Pick<Invoice, 'payeeKind' | 'payeeId'>): Holder {
  return { kind: invoice.payeeKind === 'project' ? 'project' : 'user', id: invoice.payeeId }
}

/** Returns the account that our invoice's payment credits. */
export function payeeAccount(invoice: Pick<Invoice, 'payeeKind' | 'payeeId'>): AccountName {
  return wallet(payeeOf(invoice))
}
