import type { Clock } from '../../lib/clock.ts'
import type { InvoiceStatus, PaymentLookUp, PaymentOutcome, PayRequest } from './backend.ts'
import { type CallEnd, type NodeRecord, OnePayment } from './one-payment.ts'

/** The parts that a sender needs. */
interface SenderParts {
  readonly clock: Clock
  /** The time limit for reading a record, in milliseconds. */
  readonly lookUpTimeoutMs: number
  /** A sentence about why the node sends nothing without an invoice. */
  readonly noKeysend: string
  /** Returns whether an error shows that the node refuses all our requests. Default: no error shows that. */
  readonly isShutOut?: (error: unknown) => boolean
}

/**
 * The sending half of the backend of a node whose calls alone prove little. The node's record of a payment hash is read
 * before and after a call (`OnePayment`). Only invoices are paid: if the node chooses a keysend's preimage, a keysend
 * with a lost answer could not be found again.
 */
export abstract class RecordedSender {
  readonly #parts: SenderParts
  readonly #payments: OnePayment

  constructor(parts: SenderParts) {
    this.#parts = parts
    this.#payments = new OnePayment({
      clock: parts.clock,
      lookUpTimeoutMs: parts.lookUpTimeoutMs,
      ...(parts.isShutOut !== undefined && { isShutOut: parts.isShutOut }),
      readRecord: (paymentHash, timeoutMs) => this.readRecord(paymentHash, timeoutMs),
    })
  }

  /** Reads the node's own record of a payment hash. Throws if the record cannot be read. */
  protected abstract readRecord(paymentHash: string, timeoutMs: number): Promise<NodeRecord>
  /**
   * Sends the node one request to pay, within this time (milliseconds). If this method throws, the outcome is unknown.
   */
  protected abstract sendOnce(request: PayRequest, timeoutMs: number): Promise<CallEnd>

  pay(request: PayRequest): Promise<PaymentOutcome> {
    const { paymentHash, timeoutMs } = request
    return this.#payments.pay({ paymentHash, timeoutMs, send: (leftMs) => this.sendOnce(request, leftMs) })
  }

  async keysend(): Promise<PaymentOutcome> {
    const reason = this.#parts.noKeysend
    return { state: 'failed', code: 'refused_by_node', reason, evidence: 'the node was not asked' }
  }

  lookUpPayment(paymentHash: string): Promise<PaymentLookUp> {
    return this.#payments.lookUp(paymentHash)
  }
}

/**
 * Returns the end of a call that sent no payment, for a reason that was known before the node was asked, or that the
 * node gave at once.
 */
export function notSent(reason: string, evidence = 'the node was not asked'): CallEnd {
  return { state: 'over', code: 'refused_by_node', reason, evidence }
}

/** Returns the result of a cancellation at a node that cannot cancel invoices. */
export function cannotCancel(found: InvoiceStatus | undefined): 'settled' | 'unknown' {
  return found?.state === 'settled' ? 'settled' : 'unknown'
}
