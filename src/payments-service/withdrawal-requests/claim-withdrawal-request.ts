import { AlreadyWritten } from '../../ledger/ledger.ts'
import { type Msats, msats } from '../../lib/money/amount.ts'
import { type Holder, inFlight, wallet } from '../core/chart-of-accounts.ts'
import type { Tx } from '../core/database.ts'
import { ServiceRefusal } from '../core/service-refusal.ts'
import { refuseUnsendableNow } from '../engine/node/refuse-unready.ts'
import { logOutcome } from '../engine/sending/log-outcome.ts'
import { operationOfRequest, withdrawalRequestCallback } from '../engine/sending/withdrawal-request-record.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import type { Payment, WithdrawalRequest } from '../generated/client.ts'
import { findOwn, refuseSelfPayment } from '../payments/pay-invoice.ts'
import { type PayableInvoice, readInvoice, readPayable } from '../payments/read-payable.ts'
import { insertPayment, newPayment } from '../payments/reserve-payment.ts'
import type { Invoice } from '../receiving/own-invoice.ts'
import { settleInside } from '../receiving/settle-invoice.ts'

/**
 * The longest wait of a wallet for an answer: after five seconds, wallets take silence for a refusal. In LUD-03, the
 * service accepts first and pays afterwards, so only failures within this time are reported.
 */
const ANSWER_TIMEOUT_MS = 2_000

/** The form of a secret. Texts in any other form are not looked up. */
const SECRET = /^[\w-]{20,100}$/

/** Finds a withdrawal request that can be claimed now. Throws ServiceRefusal with a text for the wallet's owner. */
export async function findClaimable(parts: ServiceParts, secret: string): Promise<WithdrawalRequest> {
  const request = await findBySecret(parts, secret)
  refuseUnclaimable(parts, request)
  return request
}

async function findBySecret(parts: ServiceParts, secret: string): Promise<WithdrawalRequest> {
  const request = SECRET.test(secret)
    ? await parts.database.read.withdrawalRequest.findUnique({ where: { secret } })
    : null
  if (request === null)
    throw new ServiceRefusal('not_found', 'This withdrawal code is not known here. Ask for a new one.')
  return request
}

/**
 * Claims a withdrawal request with an invoice for exactly its amount. Only one claim at a time is possible, because a
 * claim moves the request from `pending` to `processing` in the transaction that records the payment. A repeated claim
 * with the same invoice returns the state of that invoice's payment, because wallets repeat a call when an answer is
 * lost. Resolves with the payment when its outcome is known, or after two seconds. A failed payment has reopened the
 * request. Throws ServiceRefusal if the claim was not accepted.
 */
export async function claimWithdrawalRequest(parts: ServiceParts, secret: string, invoice: string): Promise<Payment> {
  const request = await findBySecret(parts, secret)
  const { text, amount } = readInvoice(invoice)
  const known = await findClaim(parts, request, text)
  if (known !== undefined) return known
  try {
    return await claim(parts, request, { text, amount })
  } catch (error) {
    // The same claim may have been made at this very moment.
    const made = await findClaim(parts, request, text).catch(() => undefined)
    if (made === undefined) throw error
    return made
  }
}

/** Finds the request's payment of this invoice, complete or under way. */
async function findClaim(
  { database }: ServiceParts,
  { id }: WithdrawalRequest,
  invoice: string,
): Promise<Payment | undefined> {
  const where = { withdrawalRequestId: id, invoice, status: { not: 'failed' } }
  return (await database.read.payment.findFirst({ where })) ?? undefined
}

async function claim(
  parts: ServiceParts,
  request: WithdrawalRequest,
  { text: invoice, amount }: { readonly text: string; readonly amount: Msats | undefined },
): Promise<Payment> {
  refuseUnclaimable(parts, request)
  refuseOtherAmount(request, amount)
  const payable = await readPayable(parts, invoice, undefined)
  const own = await findOwn(parts, payable)
  if (own !== undefined) return claimInside(parts, request, payable, own)
  parts.sender.assertOutgoingEnabled()
  await refuseUnsendableNow(parts, msats(request.amount + request.maxFee))
  const payment = newPayment(parts, aboutOf(request, payable, msats(request.maxFee)))
  await parts.ledger.commit({
    rows: withdrawalRequestCallback(parts, { ...request, status: 'processing' }),
    write: async (tx) => {
      await leavePending(parts, tx, request.id, { status: 'processing' })
      await insertPayment(tx, payment)
    },
  })
  return parts.sender.send(payment, ANSWER_TIMEOUT_MS)
}

/**
 * Claims with our own invoice, which never reaches the node: the held amount goes to the invoice's payee, and the held
 * fee back to the project.
 */
async function claimInside(
  parts: ServiceParts,
  request: WithdrawalRequest,
  payable: PayableInvoice,
  own: Invoice,
): Promise<Payment> {
  const payer = payerOf(request)
  refuseSelfPayment(payer, own)
  const settlement = settleInside(parts, own)
  const payment: Payment = {
    ...newPayment(parts, aboutOf(request, payable, msats(0))),
    status: 'completed',
    fee: 0n,
    preimage: settlement.preimage,
    confirmedAt: new Date(parts.clock.now()),
    nextLookUpAt: null,
  }
  const completed = { status: 'completed', fee: 0n }
  const change = {
    entries: [
      {
        operation: operationOfRequest(request.id),
        step: 'post' as const,
        moves: [
          { from: inFlight(payer), to: settlement.payee, amount: settlement.amount },
          { from: inFlight(payer), to: wallet(payer), amount: msats(request.maxFee) },
        ],
      },
    ],
    rows: withdrawalRequestCallback(parts, { ...request, ...completed }),
    write: async (tx: Tx) => {
      await leavePending(parts, tx, request.id, completed)
      await insertPayment(tx, payment)
      await settlement.write(tx)
    },
  }
  await parts.ledger.commit(change).catch((error: unknown) => refuseSecondClaim(parts, request, error))
  logOutcome(parts.logger, payment)
  settlement.cancelAtNode()
  return payment
}

/**
 * Throws the refusal for a claim that the journal refused in favour of a simultaneous one. It is the same refusal as
 * for a claim a moment later. Throws any other error unchanged.
 */
async function refuseSecondClaim(parts: ServiceParts, { id }: WithdrawalRequest, error: unknown): Promise<never> {
  if (error instanceof AlreadyWritten) {
    refuseUnclaimable(parts, await parts.database.read.withdrawalRequest.findUniqueOrThrow({ where: { id } }))
  }
  throw error
}

/**
 * Admits one claim, with which the request leaves `pending`. A second claim finds that the request is no longer
 * pending.
 */
async function leavePending(parts: ServiceParts, tx: Tx, id: string, data: Partial<WithdrawalRequest>): Promise<void> {
  const current = await tx.withdrawalRequest.findUniqueOrThrow({ where: { id } })
  refuseUnclaimable(parts, current)
  await tx.withdrawalRequest.update({ where: { id }, data })
}

function refuseUnclaimable({ clock }: ServiceParts, request: WithdrawalRequest): void {
  if (request.status === 'processing') {
    throw new ServiceRefusal('already_paid', 'This withdrawal code is being claimed already. It can be used only once.')
  }
  if (request.status === 'completed') {
    throw new ServiceRefusal('already_paid', 'This withdrawal code has been used. It can be used only once.')
  }
  if (request.status === 'expired' || request.expiresAt.getTime() <= clock.now()) {
    throw new ServiceRefusal('invoice_expired', 'This withdrawal code has expired. Ask for a new one.')
  }
}

function refuseOtherAmount(request: WithdrawalRequest, amount: Msats | undefined): void {
  if (amount === request.amount) return
  throw new ServiceRefusal(
    'invalid_amount',
    `This withdrawal is for exactly ${request.amount} msats, but the invoice asks for ${amount ?? 'no fixed amount'}. Make an invoice for exactly ${request.amount} msats.`,
  )
}

function payerOf(request: WithdrawalRequest): Holder {
  return { kind: 'project', id: request.projectId }
}

function aboutOf(request: WithdrawalRequest, { invoice, amount }: PayableInvoice, maxFee: Msats) {
  const { text, paymentHash } = invoice
  const withdrawalRequestId = request.id
  return {
    kind: 'invoice' as const,
    payer: payerOf(request),
    withdrawalRequestId,
    paymentHash,
    amount,
    maxFee,
    invoice: text,
  }
}
