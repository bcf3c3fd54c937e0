import type { Clock } from '../../lib/clock.ts'
import type { InvoiceStatus, PaymentLookUp, PaymentOutcome, PayRequest } from './backend.ts'
import { type CallEnd, type NodeRecord, OnePayment } from './one-payment.ts'

/** What a sender for a node of this kind needs. */
interface SenderParts {
  readonly clock: Clock
  /** The time limit for reading a record, in milliseconds. */
  readonly lookUpTimeoutMs: number
  /** A sentence about why the node sends nothing without an invoice. */
  readonly noKeysend: string
  /** Whether the node refuses all our requests. Default: never. */
  readonly isShutOut?: (error: unknown) => boolean
}

/**
 * The sending half of a node whose calls alone prove little. Its record of a payment hash is read before and after a
 * call (`OnePayment`). It pays only invoices: if the node chooses a keysend's preimage, a keysend with a lost answer
 * could not be found again.
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

  /** Reads the node's own record. Throws if it cannot be read. */
  protected abstract readRecord(paymentHash: string, timeoutMs: number): Promise<NodeRecord>
  /** Asks the node to pay, once, within this time (milliseconds). If it throws, the outcome is unknown. */
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
 * Reports that a payment was not sent, because of something known before the node was asked, or answered by the node at
 * once.
 */
export function notSent(reason: string, evidence = 'the node was not asked'): CallEnd {
  return { state: 'over', code: 'refused_by_node', reason, evidence }
}

/** Returns the answer of a node that cannot cancel invoices. */
export function cannotCancel(found: InvoiceStatus | undefined): 'settled' | 'unknown' {
  return found?.state === 'settled' ? 'settled' : 'unknown'
}
