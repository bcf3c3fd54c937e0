import { type Operations, progressOf, type WireOf } from '../../../payments-api/payments-api.ts'
import type { Holder } from '../../core/chart-of-accounts.ts'
import type { Payment } from '../../generated/client.ts'
import { operationOfVoucher } from './voucher-claim-record.ts'
import { operationOfRequest } from './withdrawal-request-record.ts'

export type PaymentData = WireOf<Operations['sendPayment']>['data']
export type KeysendData = WireOf<Operations['sendKeysendPayment']>['data']

/**
 * The states of a payment that has not ended: `held` (its hold is durable, and nothing was sent), `sending` (the node
 * is or was being asked), `unknown` (the node was asked, and the outcome is unknown). The final states are `completed`
 * and `failed`.
 */
export const OPEN_STATES = ['held', 'sending', 'unknown']
/** The states in which the node may have been asked. Only proof or operators' decision ends such a payment. */
export const ASKED_STATES = ['sending', 'unknown']

export function isFinal(payment: Pick<Payment, 'status'>): boolean {
  return progressOf(payment.status) !== 'open'
}

/** Returns the paying wallet. */
export function payerOf(payment: Pick<Payment, 'payerKind' | 'payerId'>): Holder {
  return { kind: payment.payerKind === 'user' ? 'user' : 'project', id: payment.payerId }
}

/**
 * Returns the journal operation to which a payment's end belongs. All claims of a withdrawal request share its
 * operation, which holds the money; all claims of a voucher share the voucher's operation. Therefore the journal
 * permits at most one of these claims to be paid.
 */
export function operationOf(payment: Pick<Payment, 'id' | 'withdrawalRequestId' | 'voucherId'>): string {
  if (payment.voucherId !== null) return operationOfVoucher(payment.voucherId)
  return payment.withdrawalRequestId === null
    ? `payment:${payment.id}`
    : operationOfRequest(payment.withdrawalRequestId)
}

/** Converts a payment to the form of Send Payment and Retrieve Payment. A keysend has no invoice. */
export function paymentData(payment: Payment): PaymentData {
  const completed = payment.status === 'completed'
  return {
    id: payment.id,
    fee: (payment.fee ?? 0n).toString(),
    unit: 'msats',
    amount: payment.amount.toString(),
    invoice: payment.invoice,
    preimage: completed ? payment.preimage : null,
    internalId: payment.internalId,
    status: completed ? 'completed' : payment.status === 'failed' ? 'failed' : 'processing',
    processedAt: payment.createdAt.toISOString(),
    confirmedAt: payment.confirmedAt?.toISOString() ?? null,
    description: payment.description,
    ...(payment.failureCode !== '' && { failure: { code: payment.failureCode, message: payment.failure } }),
  }
}

/** The messages to the caller who pays an invoice, by state. */
export const PAYMENT_MESSAGES: Readonly<Record<PaymentData['status'], string>> = {
  processing: 'The payment is on its way; the outcome will be sent to callbackUrl.',
  completed: 'The payment is completed.',
  failed: 'The payment failed; nothing was paid, and the amount is back in the wallet.',
}

const KEYSEND_STATUS = {
  completed: 'TRANSACTION_STATUS_COMPLETED',
  failed: 'TRANSACTION_STATUS_FAILED',
  processing: 'TRANSACTION_STATUS_PROCESSING',
} as const

/** Converts a keysend to the form of Send Keysend Payment. */
export function keysendData(payment: Payment): KeysendData {
  const { fee, amount, status, confirmedAt, description } = paymentData(payment)
  return {
    keysendId: payment.keysendId ?? '',
    paymentId: payment.id,
    transaction: {
      id: payment.id,
      walletId: payment.payerId,
      type: 'KEYSEND_PAYMENT',
      totalAmount: (BigInt(amount) + BigInt(fee)).toString(),
      fee,
      amount,
      description,
      status: KEYSEND_STATUS[status],
      confirmedAt,
    },
  }
}
