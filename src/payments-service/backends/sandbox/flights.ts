import type { Clock } from '../../../lib/clock.ts'
import type { PaymentOutcome } from '../backend.ts'
import type { Arrivals } from './arrivals.ts'
import type { NetworkFile, NodeName, PaymentRow } from './network-file.ts'

const SANDBOX_RECORD = 'the record of the sandbox network'

/**
 * Our node's payments that have left and have not ended. Each payment ends at a set time, or when somebody releases it.
 * Payments from an earlier run continue.
 */
export class Flights {
  readonly #file: NetworkFile
  readonly #clock: Clock
  readonly #arrivals: Arrivals
  readonly #timers = new Map<string, () => void>()
  readonly #waiting = new Map<string, Set<(outcome: PaymentOutcome) => void>>()

  constructor(file: NetworkFile, clock: Clock, arrivals: Arrivals) {
    this.#file = file
    this.#clock = clock
    this.#arrivals = arrivals
    for (const payment of file.pendingPayments()) this.launch(payment)
  }

  /** Sets the timer of a pending payment in the file, or ends the payment if its time has already come. */
  launch(payment: PaymentRow): void {
    if (payment.dueAt === null) return
    const delayMs = payment.dueAt - this.#clock.now()
    if (delayMs <= 0) this.#end(payment, payment.endsAs, payment.reason)
    else {
      const land = () => this.#end(payment, payment.endsAs, payment.reason)
      this.#timers.set(payment.paymentHash, this.#clock.after(delayMs, land))
    }
  }

  /** Returns a payment's outcome, which is `pending` until the payment ends; undefined for an unknown hash. */
  outcome(paymentHash: string): PaymentOutcome | undefined {
    const payment = this.#file.payment('ours', paymentHash)
    switch (payment?.state) {
      case undefined:
        return undefined
      case 'paid':
        return { state: 'paid', preimage: payment.preimage, fee: payment.fee }
      case 'failed':
        return { state: 'failed', code: 'no_route', reason: payment.reason, evidence: SANDBOX_RECORD }
      case 'pending':
        return { state: 'pending', evidence: 'the payment is in flight' }
    }
  }

  /**
   * Waits for a payment's outcome. Resolves to `pending` after `timeoutMs`, and to `unknown` if the network is closed
   * before.
   */
  landing({ paymentHash }: PaymentRow, timeoutMs: number): Promise<PaymentOutcome> {
    const outcome = this.outcome(paymentHash)
    if (outcome !== undefined && outcome.state !== 'pending') return Promise.resolve(outcome)
    return new Promise((resolve) => {
      const cancel = this.#clock.after(timeoutMs, () => {
        this.#waiting.get(paymentHash)?.delete(told)
        resolve({ state: 'pending', evidence: 'the payment is still in flight' })
      })
      const told = (end: PaymentOutcome) => {
        cancel()
        resolve(end)
      }
      const waiting = this.#waiting.get(paymentHash) ?? new Set()
      this.#waiting.set(paymentHash, waiting.add(told))
    })
  }

  /**
   * Ends pending payments now: the one with this hash, or all that would otherwise wait forever. Returns how many
   * ended.
   */
  release(outcome: 'settle' | 'fail', paymentHash?: string): number {
    const chosen = this.#file
      .pendingPayments()
      .filter((payment) => (paymentHash === undefined ? payment.dueAt === null : payment.paymentHash === paymentHash))
    for (const payment of chosen) {
      if (outcome === 'settle') this.#end(payment, 'paid', '')
      else this.#end(payment, 'failed', 'the payment was held for long, then failed on its way')
    }
    return chosen.length
  }

  close(): void {
    for (const cancel of this.#timers.values()) cancel()
    this.#timers.clear()
    for (const paymentHash of [...this.#waiting.keys()]) {
      this.#tell(paymentHash, { state: 'unknown', evidence: 'the node shut down while the payment was in flight' })
    }
  }

  #end(payment: PaymentRow, endsAs: 'paid' | 'failed', reason: string): void {
    this.#timers.get(payment.paymentHash)?.()
    this.#timers.delete(payment.paymentHash)
    this.#file.atomically(() => {
      if (!this.#file.endPayment(payment.id, endsAs, reason)) return
      if (endsAs === 'failed') this.#file.credit('ours', payment.amount + payment.fee)
      else this.#arrivals.record(this.#payeeOf(payment), payment, this.#clock.now())
    })
    const outcome = this.outcome(payment.paymentHash)
    if (outcome !== undefined) this.#tell(payment.paymentHash, outcome)
  }

  #payeeOf({ kind, paymentHash }: PaymentRow): NodeName {
    return (kind === 'invoice' ? this.#file.invoice(paymentHash)?.owner : undefined) ?? 'outside'
  }

  #tell(paymentHash: string, outcome: PaymentOutcome): void {
    const waiting = this.#waiting.get(paymentHash) ?? new Set()
    this.#waiting.delete(paymentHash)
    for (const resolve of waiting) resolve(outcome)
  }
}
