import { createHash } from 'node:crypto'
import { AlreadyWritten, type Entry, InsufficientFunds } from '../../../ledger/ledger.ts'
import { type Msats, msats } from '../../../lib/money/amount.ts'
import type { PaymentOutcome } from '../../backends/backend.ts'
import { FEE_INCOME, inFlight, NODE, OPERATOR, voucherEscrow, wallet } from '../../core/chart-of-accounts.ts'
import type { Payment, Voucher, WithdrawalRequest } from '../../generated/client.ts'
import type { NodeParts } from '../node/node-parts.ts'
import { logOutcome } from './log-outcome.ts'
import { paymentCallback } from './payment-callback.ts'
import { ASKED_STATES, isFinal, OPEN_STATES, operationOf, payerOf } from './payment-record.ts'
import { claimSteps, redeemedElsewhere } from './voucher-claim-record.ts'
import { withdrawalRequestCallback } from './withdrawal-request-record.ts'

/** The two provable outcomes of a payment. */
export type ProvenOutcome = Extract<PaymentOutcome, { state: 'paid' | 'failed' }>
type Paid = Extract<PaymentOutcome, { state: 'paid' }>

export type FinishingParts = Pick<
  NodeParts,
  'database' | 'ledger' | 'clock' | 'bookClock' | 'entropy' | 'ownership' | 'logger' | 'tell' | 'settings' | 'publicUrl'
>

/**
 * Thrown if somebody else recorded the payment's end first or owns the payment, or its state does not permit this end.
 */
class NotOpen extends Error {}

/**
 * Records a payment's end: the entry, the state of the payment and of its withdrawal request or voucher, and the
 * callback, all in one commit. Called by the sender or resolver that knows the end. The first call wins, and any later
 * call gets what the first recorded. A preimage proves that the payment was paid, so any process may record that. Only
 * the payment's owner may record a failure. Resolves to the payment's present state. Throws LedgerUnavailable if
 * nothing could be recorded.
 */
export async function finishPayment(parts: FinishingParts, id: string, outcome: ProvenOutcome): Promise<Payment> {
  const open = await readOpen(parts, id)
  if (isFinal(open.payment)) return compare(parts, open.payment, outcome)
  try {
    return outcome.state === 'paid'
      ? await recordPaid(parts, open, outcome)
      : await recordFailed(parts, open, alerted(parts, id, outcome), OPEN_STATES)
  } catch (error) {
    if (!isLate(error)) throw error
    return compare(parts, (await readOpen(parts, id)).payment, outcome)
  }
}

/** Ends a payment of this process that was never marked as sending, so nothing was sent. Ignores any other payment. */
export async function voidUnsent(parts: FinishingParts, id: string, reason: string): Promise<Payment> {
  try {
    return await recordFailed(parts, await readOpen(parts, id), { code: '', reason }, ['held'])
  } catch (error) {
    if (!isLate(error)) throw error
    return (await readOpen(parts, id)).payment
  }
}

/** Whether a preimage (hex) proves that this payment hash was paid. */
export function proves(preimage: string, paymentHash: string): boolean {
  const bytes = Buffer.from(preimage, 'hex')
  return bytes.length === 32 && createHash('sha256').update(bytes).digest('hex') === paymentHash
}

interface Open {
  readonly payment: Payment
  /** The withdrawal request that the payment claims. */
  readonly request: WithdrawalRequest | undefined
}

async function readOpen({ database }: FinishingParts, id: string): Promise<Open> {
  const payment = await database.read.payment.findUniqueOrThrow({ where: { id } })
  const { withdrawalRequestId } = payment
  if (withdrawalRequestId === null) return { payment, request: undefined }
  const request = await database.read.withdrawalRequest.findUniqueOrThrow({ where: { id: withdrawalRequestId } })
  return { payment, request }
}

async function recordPaid(parts: FinishingParts, open: Open, outcome: Paid): Promise<Payment> {
  const { payment } = open
  const { fee, untold, excess } = shareFee(parts, payment, outcome.fee)
  const [held, confirmedAt] = [inFlight(payerOf(payment)), new Date(parts.clock.now())]
  const commit = (absorbed: Msats) => {
    const moves = [
      { from: held, to: NODE, amount: msats(payment.amount + fee - untold) },
      { from: held, to: OPERATOR, amount: untold },
      { from: held, to: unspentFeeTo(payment), amount: msats(payment.maxFee - fee) },
      { from: OPERATOR, to: NODE, amount: absorbed },
    ]
    return record(parts, open, {
      from: ASKED_STATES,
      payment: { status: 'completed', fee, preimage: outcome.preimage || null, confirmedAt },
      request: { status: 'completed', fee },
      voucher: redeemedElsewhere(payment, confirmedAt),
      entries: [{ operation: operationOf(payment), step: 'post', moves }],
      fees: { absorbed, untold },
    })
  }
  try {
    return await commit(excess)
  } catch (error) {
    if (!(error instanceof InsufficientFunds)) throw error
    // The node spent more than the books contain: sats that the operator added without booking them. The end is
    // recorded anyway, and the alert above names the difference.
    return commit(msats(0))
  }
}

/**
 * Returns the account that gets the unused part of the fee limit: the payer's, or for a voucher the service's fee
 * income, because the wallet that claimed the voucher got the promised amount.
 */
function unspentFeeTo(payment: Payment) {
  return payment.voucherId === null ? wallet(payerOf(payment)) : FEE_INCOME
}

/**
 * Splits a fee: the payer bears it up to the agreed limit, the operator the rest. If a node does not report its fee,
 * the payer is charged the limit, because nothing is returned without proof. The amount charged waits on the operator's
 * account, and covers the fee that the node has already taken.
 */
function shareFee({ logger, tell }: FinishingParts, payment: Payment, taken: Msats | undefined) {
  if (taken === undefined) {
    logger.warn(
      { payment: payment.id },
      "the node does not report a payment's cost, so the payer is charged the fee limit",
    )
    return { fee: msats(payment.maxFee), untold: msats(payment.maxFee), excess: msats(0) }
  }
  const fee = msats(taken > payment.maxFee ? payment.maxFee : taken)
  const excess = msats(taken - fee)
  if (excess > 0n) {
    const fields = { payment: payment.id, fee: `${taken}`, maxFee: `${payment.maxFee}` }
    const text = `For payment ${payment.id} the node took ${excess} msats beyond the fee limit. The operator bears them; npm run audit says how much that is by now.`
    tell({ alert: 'fee_over_limit', text, fields })
  }
  return { fee, untold: msats(0), excess }
}

/** Returns the failure. Alerts operators if only they can repair it; otherwise logs it. */
function alerted(
  { logger, tell }: FinishingParts,
  payment: string,
  failure: Extract<PaymentOutcome, { state: 'failed' }>,
) {
  const { code, evidence } = failure
  const fields = { payment, code, evidence }
  if (code === 'no_liquidity') {
    const text = `Payment ${payment} failed, because the node has too little on its side of its channels. Everything was returned to the payer. Open a channel, or move sats to this side of one.`
    tell({ alert: 'no_liquidity', text, fields })
  } else logger.info(fields, 'the node proves that a payment failed')
  return failure
}

async function recordFailed(
  parts: FinishingParts,
  open: Open,
  { code, reason }: { readonly code: string; readonly reason: string },
  from: readonly string[],
): Promise<Payment> {
  const { payment, request } = open
  const payer = payerOf(payment)
  const amount = msats(payment.amount + payment.maxFee)
  const giveBack =
    payment.voucherId === null
      ? { step: 'void', moves: [{ from: inFlight(payer), to: wallet(payer), amount }] }
      : // A voucher is open again, for the first to come.
        {
          step: claimSteps(payment).failed,
          moves: [{ from: inFlight(payer), to: voucherEscrow(payment.voucherId), amount }],
        }
  // A failed claim reopens its request, and the hold stays. If its time is over, the request expires instead.
  const reopens = request !== undefined && !parts.bookClock.hasPassed(request.expiresAt)
  return record(parts, open, {
    from,
    sender: parts.ownership.me,
    payment: { status: 'failed', failure: reason, failureCode: code },
    request: { status: reopens ? 'pending' : 'expired' },
    entries: reopens ? [] : [{ operation: operationOf(payment), ...giveBack }],
  })
}

interface End {
  /** The states in which the payment may be before this end. */
  readonly from: readonly string[]
  /** The process that must own the payment; by default, any. */
  readonly sender?: string
  readonly payment: Partial<Payment>
  readonly request: Partial<WithdrawalRequest>
  /** The changes to the voucher that a wallet claimed with this payment; by default, none. */
  readonly voucher?: Partial<Voucher>
  readonly entries: readonly Entry[]
  /** Fees to be counted, in msats: absorbed by the operator, and charged although the node does not report the fee. */
  readonly fees?: { readonly absorbed: Msats; readonly untold: Msats }
}

async function record(parts: FinishingParts, { payment, request }: Open, end: End): Promise<Payment> {
  const finished: Payment = { ...payment, ...end.payment, nextLookUpAt: null }
  await parts.ledger.commit({
    entries: end.entries,
    rows: request ? withdrawalRequestCallback(parts, { ...request, ...end.request }) : paymentCallback(parts, finished),
    write: async (tx) => {
      const ended = await tx.payment.updateMany({
        where: {
          id: payment.id,
          status: { in: [...end.from] },
          ...(end.sender !== undefined && { sender: end.sender }),
        },
        data: { ...end.payment, nextLookUpAt: null },
      })
      if (ended.count !== 1) throw new NotOpen(payment.id)
      for (const [kind, total] of Object.entries(end.fees ?? {})) {
        if (total === 0n) continue
        const data = { total: { increment: total }, payments: { increment: 1 } }
        await tx.routingFee.update({ where: { kind }, data })
      }
      // Throws if an open claim's request is not being claimed.
      if (request)
        await tx.withdrawalRequest.update({ where: { id: request.id, status: 'processing' }, data: end.request })
      if (payment.voucherId !== null && end.voucher !== undefined) {
        const where = { id: payment.voucherId, redeemedAt: null, revokedAt: null }
        await tx.voucher.update({ where, data: end.voucher })
      }
    },
  })
  logOutcome(parts.logger, finished)
  return finished
}

function isLate(error: unknown): boolean {
  return error instanceof AlreadyWritten || error instanceof NotOpen
}

/** Leaves the stored record as it is, and alerts operators if the node now contradicts its earlier proof. */
function compare(parts: FinishingParts, payment: Payment, outcome: ProvenOutcome): Payment {
  if ((payment.status === 'completed') !== (outcome.state === 'paid')) {
    const fields = { payment: payment.id, recorded: payment.status, said: outcome.state }
    const text = `The node says "${outcome.state}" of payment ${payment.id}, and had proven the contrary before: it is recorded as "${payment.status}", and that stands. Look at the node's own record of it, and run npm run audit.`
    parts.tell({ alert: 'contradicting_outcome', text, fields })
  }
  return payment
}
