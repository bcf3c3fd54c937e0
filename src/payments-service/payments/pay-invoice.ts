import { type Msats, msats } from '../../lib/money/amount.ts'
import { type Holder, wallet } from '../core/chart-of-accounts.ts'
import type { Tx } from '../core/database.ts'
import { ServiceRefusal } from '../core/service-refusal.ts'
import { refuseUnsendableNow } from '../engine/node/refuse-unready.ts'
import { logOutcome } from '../engine/sending/log-outcome.ts'
import { paymentCallback } from '../engine/sending/payment-callback.ts'
import { operationOf } from '../engine/sending/payment-record.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import type { Payment } from '../generated/client.ts'
import { findInvoice, type Invoice, payeeOf } from '../receiving/own-invoice.ts'
import { settleInside } from '../receiving/settle-invoice.ts'
import { feeLimitOf } from './fee-limit.ts'
import { type PayableInvoice, readPayable } from './read-payable.ts'
import { type Hold, newPayment, noSecondPayment, refuseSecondPayment, reserve } from './reserve-payment.ts'

/** A project's or user's request to pay. */
export interface PayRequest {
  readonly payer: Holder
  readonly invoice: string
  /** The amount to pay, only for an invoice without an amount. */
  readonly amount?: Msats | undefined
  readonly maxFee?: Msats | undefined
  readonly description?: string | undefined
  readonly internalId?: string | undefined
  readonly callbackUrl?: string | undefined
  /** The receiver's message for the payer after the payment (LUD-09), as JSON. */
  readonly successAction?: string | undefined
}

/**
 * Pays a Lightning invoice from a wallet: through the node, or inside the books if the invoice is ours. Resolves with
 * the payment's state when its outcome is known, or after five seconds. Throws ServiceRefusal, and what `hold` throws.
 */
export async function payInvoice(parts: ServiceParts, request: PayRequest, hold: Hold): Promise<Payment> {
  const { payer } = request
  const known = await parts.invoices.open(request.invoice)
  const payable = await readPayable(parts, request.invoice, request.amount, known)
  const own = known ?? (await findOwn(parts, payable))
  if (own !== undefined) return payInside(parts, request, own, hold)
  parts.sender.assertOutgoingEnabled()
  const maxFee = feeLimitOf(parts, payable.amount, request.maxFee)
  await refuseUnsendableNow(parts, msats(payable.amount + maxFee), payer)
  const payment = newPayment(parts, { ...aboutOf(request, payable), maxFee })
  await hold(reserve(payer, payment), payment.id)
  return parts.sender.send(payment)
}

/**
 * Returns the invoice that is to be paid if it is our own; undefined if it is foreign. Throws ServiceRefusal
 * (foreign_invoice) for another text with our payment hash, because the signer of that text would be paid with somebody
 * else's preimage.
 */
export async function findOwn(parts: ServiceParts, { invoice }: PayableInvoice): Promise<Invoice | undefined> {
  const own = await findInvoice(parts, invoice.paymentHash)
  if (own === undefined || own.request === invoice.text) return own
  throw new ServiceRefusal(
    'foreign_invoice',
    'This invoice uses a payment hash of this service, but the service did not make it. The invoice was not paid. Ask for another invoice.',
  )
}

/** Throws ServiceRefusal (self_payment) if our invoice would credit the paying wallet. */
export function refuseSelfPayment(payer: Holder, own: Invoice): void {
  const payee = payeeOf(own)
  if (payee.kind === payer.kind && payee.id === payer.id) {
    throw new ServiceRefusal(
      'self_payment',
      'This invoice is your own, so paying it would move nothing. Only somebody else can pay it.',
    )
  }
}

async function payInside(parts: ServiceParts, request: PayRequest, own: Invoice, hold: Hold): Promise<Payment> {
  const { payer } = request
  refuseSelfPayment(payer, own)
  const settlement = settleInside(parts, own)
  const payable = { invoice: { text: own.request, paymentHash: own.paymentHash }, amount: settlement.amount }
  const payment: Payment = {
    ...newPayment(parts, { ...aboutOf(request, payable), maxFee: msats(0) }),
    status: 'completed',
    fee: 0n,
    preimage: settlement.preimage,
    confirmedAt: new Date(parts.clock.now()),
    nextLookUpAt: null,
  }
  const asData = await settlement.asData()
  const change = {
    entries: [
      {
        operation: operationOf(payment),
        step: 'post',
        moves: [{ from: wallet(payer), to: settlement.payee, amount: settlement.amount }],
      },
    ],
    // One insert serves all simultaneous payments.
    rows: [...paymentCallback(parts, payment), { table: 'Payment', values: { ...payment } }, ...(asData?.rows ?? [])],
    ...(asData !== undefined
      ? { conditions: [noSecondPayment(payment.paymentHash), ...asData.conditions] }
      : {
          async write(tx: Tx) {
            await refuseSecondPayment(tx, payment.paymentHash)
            await settlement.write(tx)
          },
        }),
  }
  await hold(change, payment.id)
  logOutcome(parts.logger, payment)
  settlement.cancelAtNode()
  return payment
}

function aboutOf(
  request: PayRequest,
  { invoice, amount }: { invoice: { text: string; paymentHash: string }; amount: Msats },
) {
  const { payer, description, internalId, callbackUrl, successAction } = request
  const { text, paymentHash } = invoice
  const about = { payer, description, internalId, callbackUrl, successAction }
  return { kind: 'invoice' as const, paymentHash, amount, invoice: text, ...about }
}
