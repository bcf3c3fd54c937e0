import type { Condition, LedgerChange, Row } from '../../ledger/ledger.ts'
import { lightningUri } from '../../lib/lightning/lnurl.ts'
import type { Msats } from '../../lib/money/amount.ts'
import type { CallbackWire, operations, WireOf } from '../../payments-api/payments-api.ts'
import { type Holder, UNIT } from '../core/chart-of-accounts.ts'
import type { Tx } from '../core/database.ts'
import { ServiceRefusal } from '../core/service-refusal.ts'
import { type CallbackRecord, callbackRows, recordCallback } from '../engine/outbox/record-callback.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import type { Charge } from '../generated/client.ts'
import { issueInvoice } from './own-invoice.ts'

export type ChargeStatus = 'CHARGE_PENDING' | 'CHARGE_COMPLETED' | 'CHARGE_EXPIRED'

/** The lifetime of a charge in seconds, unless the caller chooses another. */
const DEFAULT_EXPIRES_IN = 600

export interface ChargeRequest {
  /** The project that makes the charge; null if a user makes it on the wallet page, so nobody gets a callback. */
  readonly projectId: string | null
  /** The wallet that the payment credits. */
  readonly payee: Holder
  readonly amount: Msats
  readonly description: string
  /** The lifetime in seconds; undefined for the default. */
  readonly expiresIn: number | undefined
  readonly internalId: string
  readonly callbackUrl: string
}

/**
 * Has the node create a charge's invoice, and returns the change that records both. Nobody must see the invoice before
 * that change is durable. Throws what `issueInvoice` throws.
 */
export async function prepareCharge(
  parts: ServiceParts,
  request: ChargeRequest,
): Promise<{ readonly charge: Charge; readonly change: LedgerChange<Tx> }> {
  const { projectId, payee, amount, description, internalId, callbackUrl } = request
  const id = parts.entropy.uuid()
  const invoice = await issueInvoice(
    parts,
    { amount, description: { text: description }, expiresInSeconds: request.expiresIn ?? DEFAULT_EXPIRES_IN },
    {
      purpose: 'charge',
      resourceId: id,
      payee,
      comment: '',
      payerData: '',
      zapRequest: '',
    },
  )
  const { paymentHash, createdAt, expiresAt } = invoice
  const charge: Charge = {
    id,
    projectId,
    payeeKind: payee.kind,
    payeeId: payee.id,
    amount,
    description,
    internalId,
    callbackUrl,
    status: 'CHARGE_PENDING' satisfies ChargeStatus,
    invoiceRequest: invoice.request,
    paymentHash,
    createdAt,
    expiresAt,
    confirmedAt: null,
  }
  return { charge, change: { rows: [invoice.row, { table: 'Charge', values: { ...charge } }] } }
}

/** Converts a gamertag charge to the form of Create Gamertag Charge. */
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

/** Converts a gamertag charge to the form of Get Gamertag Charge and of the callback. */
export function showCharge(charge: Charge): CallbackWire<'charge'> {
  return {
    ...showNewCharge(charge),
    confirmedAt: charge.confirmedAt?.toISOString() ?? null,
    invoice: { request: charge.invoiceRequest },
  }
}

const PROJECT_CHARGE_STATUS = {
  CHARGE_PENDING: 'pending',
  CHARGE_COMPLETED: 'completed',
  CHARGE_EXPIRED: 'expired',
} as const satisfies Record<ChargeStatus, string>

/** Converts a charge of a project's own wallet to the form of Create Charge, Get Charge and the callback. */
export function showProjectCharge(charge: Charge): CallbackWire<'projectCharge'> {
  return {
    id: charge.id,
    unit: UNIT,
    amount: charge.amount.toString(),
    status: PROJECT_CHARGE_STATUS[charge.status as ChargeStatus],
    description: charge.description,
    createdAt: charge.createdAt.toISOString(),
    expiresAt: charge.expiresAt.toISOString(),
    confirmedAt: charge.confirmedAt?.toISOString() ?? null,
    internalId: charge.internalId,
    callbackUrl: charge.callbackUrl,
    invoice: { request: charge.invoiceRequest, uri: lightningUri(charge.invoiceRequest) },
  }
}

/**
 * Finds a charge by its id, for the project that made the charge, which is a gamertag's or the project's own. Throws
 * ServiceRefusal (not_found).
 */
export async function findCharge({ database }: ServiceParts, id: string, projectId: string, payeeKind: Holder['kind']) {
  const charge = await database.read.charge.findUnique({ where: { id } })
  if (charge === null || charge.projectId !== projectId || charge.payeeKind !== payeeKind) {
    const kind = payeeKind === 'user' ? 'gamertag charge' : 'charge'
    throw new ServiceRefusal('not_found', `This project has no ${kind} with this id. Check the id and the API key.`)
  }
  return charge
}

/**
 * Ends a charge in the transaction that credits its payment, or that closes its unpaid invoice. Notifies the charge's
 * creator. A charge that is paid in the end is completed, even if it had expired before.
 */
export async function endCharge(
  parts: ServiceParts,
  tx: Tx,
  id: string,
  end: { readonly status: 'CHARGE_COMPLETED' | 'CHARGE_EXPIRED'; readonly confirmedAt: Date | null },
): Promise<void> {
  await recordCallback(parts, tx, callbackOf(await tx.charge.update({ where: { id }, data: end })))
}

/** Returns the end of a paid charge as a condition and rows of a change; undefined if there is no such charge. */
export async function chargeEnd(
  parts: ServiceParts,
  id: string,
  end: { readonly status: 'CHARGE_COMPLETED'; readonly confirmedAt: Date },
): Promise<{ readonly condition: Condition; readonly rows: readonly Row[] } | undefined> {
  // Except for its end, the facts in its callback never change.
  const charge = await parts.invoices.charge(id)
  if (charge === undefined) return undefined
  const refusal: Condition['refusal'] = ([row]) =>
    row === undefined ? new Error(`there is no charge ${id}`) : undefined
  const condition = { table: 'Charge', key: { id }, refusal, set: { ...end } }
  return { condition, rows: callbackRows(parts, callbackOf({ ...charge, ...end })) }
}

function callbackOf(charge: Charge): CallbackRecord<'charge' | 'projectCharge'> {
  const { projectId, callbackUrl: url } = charge
  const about = { projectId, resource: `charge:${charge.id}`, url }
  return charge.payeeKind === 'project'
    ? { ...about, kind: 'projectCharge', body: showProjectCharge(charge) }
    : { ...about, kind: 'charge', body: showCharge(charge) }
}
