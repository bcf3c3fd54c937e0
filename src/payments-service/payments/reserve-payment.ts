import type { Condition, LedgerChange } from '../../ledger/ledger.ts'
import { type Msats, msats } from '../../lib/money/amount.ts'
import { type Holder, inFlight, wallet } from '../core/chart-of-accounts.ts'
import type { Tx } from '../core/database.ts'
import { ServiceRefusal } from '../core/service-refusal.ts'
import { operationOf } from '../engine/sending/payment-record.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import type { Payment } from '../generated/client.ts'

/** How long a hold may wait to be marked as sending before it is returned. */
const ABANDONED_MS = 60_000

/** Makes a change durable: an operation's `bind`, or the ledger's `commit` without an Idempotency-Key. */
export type Hold = <T>(change: LedgerChange<Tx, T>, paymentId: string) => Promise<T>

/** The fields of a new payment. */
export interface NewPayment {
  readonly kind: 'invoice' | 'keysend'
  readonly payer: Holder
  readonly paymentHash: string
  readonly amount: Msats
  readonly maxFee: Msats
  readonly withdrawalRequestId?: string
  readonly voucherId?: string
  readonly invoice?: string
  /** The node that a keysend pays, in hex. */
  readonly destination?: string
  /** Our own preimage for a keysend in hex, so that the payment can be looked up by its hash. */
  readonly preimage?: string
  readonly keysendId?: string
  readonly description?: string | undefined
  readonly internalId?: string | undefined
  readonly callbackUrl?: string | undefined
  /** The caller's data for the callback, as JSON. */
  readonly metadata?: string
  readonly tlvRecords?: string
  readonly successAction?: string | undefined
}

/** Returns a payment that is not recorded yet, in the state `held`, for which no money has been taken yet. */
export function newPayment({ clock, entropy, ownership }: ServiceParts, about: NewPayment): Payment {
  const now = clock.now()
  return {
    id: entropy.uuid(),
    kind: about.kind,
    payerKind: about.payer.kind,
    payerId: about.payer.id,
    withdrawalRequestId: about.withdrawalRequestId ?? null,
    voucherId: about.voucherId ?? null,
    invoice: about.invoice ?? '',
    destination: about.destination ?? '',
    paymentHash: about.paymentHash,
    amount: about.amount,
    maxFee: about.maxFee,
    fee: null,
    preimage: about.preimage ?? null,
    status: 'held',
    failure: '',
    failureCode: '',
    description: about.description ?? '',
    internalId: about.internalId ?? '',
    callbackUrl: about.callbackUrl ?? '',
    metadata: about.metadata ?? '',
    tlvRecords: about.tlvRecords ?? '',
    keysendId: about.keysendId ?? null,
    createdAt: new Date(now),
    confirmedAt: null,
    attempts: 0,
    successAction: about.successAction ?? '',
    nextLookUpAt: new Date(now + ABANDONED_MS),
    sender: ownership.me,
    absentSince: null,
  }
}

/**
 * Returns the change that holds a payment's amount and fee limit, for a payment that is not a claim. Make the change
 * durable before anything is sent.
 */
export function reserve(payer: Holder, payment: Payment): LedgerChange<Tx, void> {
  const amount = msats(payment.amount + payment.maxFee)
  return {
    entries: [
      {
        operation: operationOf(payment),
        step: 'reserve',
        moves: [{ from: wallet(payer), to: inFlight(payer), amount }],
      },
    ],
    write: (tx) => insertPayment(tx, payment),
  }
}

/** Inserts a payment. Throws ServiceRefusal (already_paid) if `refuseSecondPayment` does. */
export async function insertPayment(tx: Tx, payment: Payment): Promise<void> {
  await refuseSecondPayment(tx, payment.paymentHash)
  await tx.payment.create({ data: payment })
}

/**
 * Refuses the second of two payments of one hash, if the first was paid or can still be paid. Throws ServiceRefusal
 * (already_paid). A unique index in the database enforces the same rule.
 */
export async function refuseSecondPayment(tx: Tx, paymentHash: string): Promise<void> {
  // Uses the text of the index "Payment_hash_live", which a query with a parameter would not match.
  const others = await tx.$queryRaw<{ status: string }[]>`
    SELECT "status" FROM "Payment" WHERE "paymentHash" = ${paymentHash} AND "status" <> 'failed'`
  const refusal = besideOthers(others.map(({ status }) => status))
  if (refusal !== undefined) throw refusal
}

/** Returns the check of `refuseSecondPayment` as a condition of the paying change. */
export function noSecondPayment(paymentHash: string): Condition {
  const refusal: Condition['refusal'] = (rows) => besideOthers(rows.map(({ status }) => String(status)))
  return { table: 'Payment', key: { paymentHash }, within: `"status" <> 'failed'`, refusal }
}

function besideOthers(states: readonly string[]): ServiceRefusal | undefined {
  const [first] = states.filter((status) => status !== 'failed')
  if (first === undefined) return undefined
  const paid = 'This invoice has been paid already.'
  const open = 'A payment of this invoice is in progress. Wait for it to end.'
  return new ServiceRefusal('already_paid', first === 'completed' ? paid : open)
}
