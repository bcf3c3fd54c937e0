import { type Clock, pause } from '../../lib/clock.ts'
import type { FailureCode, PaymentLookUp, PaymentOutcome } from './backend.ts'

/**
 * How the only call that may move sats ended. `over`: the node ended the call with an answer that its documentation
 * calls final, so this call has nothing under way. Any other end, except success, is `unknown`.
 */
export type CallEnd =
  | Extract<PaymentOutcome, { state: 'paid' }>
  | {
      readonly state: 'over'
      readonly code: FailureCode
      readonly reason: string
      readonly evidence: string
      /**
       * The longest time for which the record may lag behind. The record is read once more after this time, before the
       * end is believed.
       */
      readonly readAgainAfterMs?: number
      /** Whether the request was refused unread, so that the record did not change. */
      readonly isUnread?: true
    }
  | { readonly state: 'unknown'; readonly evidence: string }

/**
 * A node's own record of a payment. Until `retriesUntil` (milliseconds since 1970), the node may retry a failed
 * payment.
 */
export type NodeRecord = PaymentLookUp & { readonly retriesUntil?: number }

export interface OnePaymentParts {
  readonly clock: Clock
  /** Reads the node's record of a payment hash. Throws if the record cannot be read. */
  readonly readRecord: (paymentHash: string, timeoutMs: number) => Promise<NodeRecord>
  /** The time limit for reading a record, in milliseconds. */
  readonly lookUpTimeoutMs: number
  /**
   * Returns whether an error shows that the node refuses all our requests, and so would also refuse to pay. Default: no
   * error shows that.
   */
  readonly isShutOut?: (error: unknown) => boolean
}

export interface Call {
  readonly paymentHash: string
  readonly timeoutMs: number
  /** Sends the node one request to pay, within the remaining time. If this method throws, the outcome is unknown. */
  send(timeoutMs: number): Promise<CallEnd>
}

const SHUT_OUT = {
  state: 'failed',
  code: 'refused_by_node',
  reason: 'The Lightning node does not let this service in. Nothing was sent.',
} as const

/** The pauses between look-ups of a payment under way, in milliseconds. The last one repeats. */
const PAUSES_MS = [100, 250, 500, 1_000]
/** How long an ended call is remembered, which is longer than any node retries. */
const MEMORY_MS = 600_000

/**
 * A sender that pays a hash only once, through a node whose calls alone prove little. It reads the node's record before
 * and after the call. An error proves failure only together with a record that shows nothing under way, and only if
 * every earlier call of the same hash has ended.
 */
export class OnePayment {
  readonly #parts: OnePaymentParts
  readonly #running = new Map<string, Promise<PaymentOutcome>>()
  /** The hashes of calls without a known end. A later error proves nothing about these calls. */
  readonly #unsure = new Set<string>()
  /** The times at which calls ended with an answer, by payment hash, in monotonic milliseconds. */
  readonly #overAt = new Map<string, number>()

  constructor(parts: OnePaymentParts) {
    this.#parts = parts
  }

  /**
   * Makes the call, or joins a running call with the same hash. Resolves within the call's time limit. Never throws.
   */
  async pay(call: Call): Promise<PaymentOutcome> {
    const { paymentHash, timeoutMs } = call
    const running = this.#running.get(paymentHash)
    if (running !== undefined) return this.#within(running, timeoutMs)
    const paying = this.#pay(call).finally(() => this.#running.delete(paymentHash))
    this.#running.set(paymentHash, paying)
    return this.#within(paying, timeoutMs)
  }

  /** Looks up a payment's outcome, as far as the node's record proves it. Throws if the record cannot be read. */
  async lookUp(paymentHash: string): Promise<PaymentLookUp> {
    const found = await this.#parts.readRecord(paymentHash, this.#parts.lookUpTimeoutMs)
    return this.#judge(paymentHash, found, this.#running.has(paymentHash))
  }

  /** Returns what a record proves. "Failed" is proof only if neither our call nor the node may retry. */
  #judge(paymentHash: string, { retriesUntil = 0, ...record }: NodeRecord, isRunning: boolean): PaymentLookUp {
    if (record.state !== 'failed' || this.#overAt.has(paymentHash)) return record
    if (!isRunning && this.#parts.clock.now() >= retriesUntil) return record
    return {
      ...{ state: 'pending', evidence: `${record.evidence}; the node may still try again` },
      ...(retriesUntil > 0 && { retriesUntil }),
    }
  }

  async #pay(call: Call): Promise<PaymentOutcome> {
    const { clock } = this.#parts
    const { paymentHash } = call
    const deadline = clock.monotonic() + call.timeoutMs
    const left = () => deadline - clock.monotonic()
    const before = await this.#read(paymentHash, left())
    if (before.state === 'unknown' && this.#isShutOut(paymentHash, before.error)) {
      return { ...SHUT_OUT, evidence: `${before.evidence}; the node was not asked to pay` }
    }
    if (before.state === 'paid') return before
    if (before.state === 'unknown') return { state: 'unknown', evidence: before.evidence }
    if (before.state === 'pending') return this.#untilEnd(paymentHash, deadline)
    const end = await this.#send(call, left())
    if (end.state === 'paid') return end
    if (end.state === 'over' && end.isUnread && !this.#unsure.has(paymentHash)) {
      return { state: 'failed', code: end.code, reason: end.reason, evidence: end.evidence }
    }
    const after = await this.#readAfter(paymentHash, end, left)
    if (after.state === 'paid' || after.state === 'unknown') return after
    if (after.state === 'pending') return this.#untilEnd(paymentHash, deadline)
    if (end.state === 'unknown') return end
    const record = after.state === 'absent' ? 'the node has no record of it' : after.evidence
    const evidence = `${end.evidence}; then ${record}`
    if (this.#unsure.has(paymentHash)) {
      return { state: 'unknown', evidence: `${evidence}; an earlier call of this hash has no known end` }
    }
    return { state: 'failed', code: end.code, reason: end.reason, evidence }
  }

  async #send(call: Call, timeoutMs: number): Promise<CallEnd> {
    this.#forget()
    this.#overAt.delete(call.paymentHash)
    const end = await call
      .send(timeoutMs)
      .catch((error: unknown): CallEnd => ({ state: 'unknown', evidence: String(error) }))
    if (end.state === 'unknown') this.#unsure.add(call.paymentHash)
    else if (!this.#unsure.has(call.paymentHash)) this.#overAt.set(call.paymentHash, this.#parts.clock.monotonic())
    return end
  }

  /** Reads the record after the call, and once more if it may lag. */
  async #readAfter(paymentHash: string, end: CallEnd, left: () => number): Promise<PaymentLookUp> {
    const after = await this.#read(paymentHash, left())
    const isOver = after.state === 'failed' || after.state === 'absent'
    if (!isOver || end.state !== 'over' || end.readAgainAfterMs === undefined) return after
    await pause(this.#parts.clock, end.readAgainAfterMs)
    return this.#read(paymentHash, left())
  }

  /** Reads the record repeatedly until the payment ends, or until the deadline (monotonic milliseconds). */
  async #untilEnd(paymentHash: string, deadline: number): Promise<PaymentOutcome> {
    const { clock } = this.#parts
    for (let attempt = 0; ; attempt += 1) {
      const pauseMs = PAUSES_MS[Math.min(attempt, PAUSES_MS.length - 1)] ?? 0
      if (clock.monotonic() + pauseMs >= deadline) return { state: 'pending', evidence: 'the node says: under way' }
      await new Promise<void>((resolve) => clock.after(pauseMs, resolve))
      const record = await this.#read(paymentHash, deadline - clock.monotonic())
      if (record.state === 'pending') continue
      if (record.state !== 'absent') return record
      return { state: 'unknown', evidence: 'the node said "under way", and now has no record of it' }
    }
  }

  /**
   * Returns whether the node refuses our requests, and no call for this hash has an unknown end. A service pays a hash
   * again only after a proven failure, so nothing is then under way.
   */
  #isShutOut(paymentHash: string, error: unknown): boolean {
    return this.#parts.isShutOut?.(error) === true && !this.#unsure.has(paymentHash)
  }

  /** Reads the record without throwing. */
  async #read(paymentHash: string, timeoutMs: number): Promise<PaymentLookUp & { readonly error?: unknown }> {
    const { readRecord, lookUpTimeoutMs } = this.#parts
    if (timeoutMs <= 0) return { state: 'unknown', evidence: 'no time was left to look the payment up' }
    try {
      const found = await readRecord(paymentHash, Math.min(timeoutMs, lookUpTimeoutMs))
      return this.#judge(paymentHash, found, false)
    } catch (error) {
      return { state: 'unknown', evidence: `the look-up failed: ${String(error)}`, error }
    }
  }

  #within(outcome: Promise<PaymentOutcome>, timeoutMs: number): Promise<PaymentOutcome> {
    return new Promise((resolve) => {
      const late: PaymentOutcome = { state: 'unknown', evidence: `the node gave no end within ${timeoutMs} ms` }
      const cancel = this.#parts.clock.after(timeoutMs, () => resolve(late))
      void outcome.then(resolve).finally(cancel)
    })
  }

  #forget(): void {
    const before = this.#parts.clock.monotonic() - MEMORY_MS
    for (const [paymentHash, at] of this.#overAt) {
      if (at >= before) return
      this.#overAt.delete(paymentHash)
    }
  }
}
