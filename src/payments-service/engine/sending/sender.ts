import { decodeAnyInvoice } from '../../../lib/lightning/bolt12.ts'
import { msats } from '../../../lib/money/amount.ts'
import { OwnershipLost } from '../../../lib/ownership/ownership.ts'
import type { Worker } from '../../../lib/worker.ts'
import type { NodeInfo, PaymentOutcome } from '../../backends/backend.ts'
import { nothingSent } from '../../core/service-refusal.ts'
import type { Payment } from '../../generated/client.ts'
import { createNodeIdentity } from '../node/node-identity.ts'
import type { NodeParts } from '../node/node-parts.ts'
import { finishPayment, proves } from './finish-payment.ts'
import { wrongPreimage } from './log-outcome.ts'
import { Resolver, SENDER_TIMEOUT_MS, type Unresolved } from './resolver.ts'

/** How long a caller waits for the node before it gets `processing`. */
const ANSWER_TIMEOUT_MS = 5_000
/** How long after the start of a call the resolver makes its own check. */
const FIRST_LOOK_UP_MS = 30_000
/** How long the node may take to end a payment. */
const CALL_TIMEOUT_MS = 300_000

/**
 * Sends everything that leaves through the Lightning node, no matter who requested it: payments, keysends, claims of
 * withdrawal requests and of vouchers. Each step is durable, in this order: the hold (by the caller, state `held`), the
 * mark `sending`, the call, the end. No transaction is open during a call to the node, and nothing is sent twice. The
 * resolver handles answers without proof, for as long as necessary.
 */
export interface Sender extends Worker {
  /** Looks up everything that an earlier run left open, and then allows sending. Nothing is sent before that. */
  start(): Promise<void>
  /**
   * Returns our node's identity. Throws the refusal nothing_sent while the node cannot be reached, or is not the book's
   * node.
   */
  node(): Promise<NodeInfo>
  /**
   * Throws the refusal nothing_sent while nothing may be sent: before the start, during a stop, and while another
   * process may have taken over this process's work.
   */
  assertOutgoingEnabled(): void
  /**
   * Sends a payment whose hold is durable. Resolves with the payment's state when its end is recorded, or after
   * `answerWithinMs` (by default, five seconds). Sends nothing if the payment is not `held`. Throws nothing_sent if the
   * payment could not be marked as sending.
   */
  send(payment: Payment, answerWithinMs?: number): Promise<Payment>
  /** Returns the number of payments with an unknown outcome, and the age of the oldest. */
  unresolved(): Promise<Unresolved>
}

export function createSender(parts: NodeParts): Sender {
  return new NodeSender(parts)
}

class NodeSender implements Sender {
  readonly node: () => Promise<NodeInfo>
  readonly #parts: NodeParts
  readonly #resolver: Resolver
  /** The payments that a call of this process may still be sending. */
  readonly #sending = new Set<string>()
  #open = false
  #closed = false

  constructor(parts: NodeParts) {
    this.#parts = parts
    this.node = createNodeIdentity(parts.backend)
    this.#resolver = new Resolver(parts, (id) => this.#sending.has(id))
  }

  async start(): Promise<void> {
    await this.#resolver.start()
    this.#parts.ownership.afterEachLook(() => this.#resolver.takeOver())
    this.#open = !this.#closed
  }

  assertOutgoingEnabled(): void {
    if (!this.#open) throw nothingSent(this.#closed ? 'The service is stopping' : 'The service is starting')
    if (!this.#parts.ownership.isLive()) throw nothingSent('The service has lost touch with its books')
  }

  async send(payment: Payment, answerWithinMs = ANSWER_TIMEOUT_MS): Promise<Payment> {
    // If another call of this process is sending it already, leave it to that one.
    if (!this.#sending.has(payment.id) && (await this.#begin(payment.id))) {
      await this.#within(answerWithinMs, this.#execute(payment))
    }
    return this.#parts.database.read.payment.findUniqueOrThrow({ where: { id: payment.id } })
  }

  unresolved(): Promise<Unresolved> {
    return this.#resolver.unresolved()
  }

  async close(): Promise<void> {
    this.#open = false
    this.#closed = true
    await this.#resolver.close()
  }

  /** Marks a payment as sending. Resolves to whether this call is the one that must send it. */
  async #begin(id: string): Promise<boolean> {
    const lookUpAt = this.#parts.clock.now() + FIRST_LOOK_UP_MS
    // If anything goes wrong from here on, the resolver checks the payment.
    this.#resolver.expect(lookUpAt)
    this.#sending.add(id)
    try {
      const marked = await this.#mark(id, lookUpAt)
      if (!marked) this.#sending.delete(id)
      return marked
    } catch (error) {
      this.#sending.delete(id)
      // Another process owns it now, or will soon.
      if (error instanceof OwnershipLost) return false
      throw nothingSent('The payment could not be recorded as being sent', error)
    }
  }

  /**
   * Moves a payment from `held` to `sending`. Only one call, in the process that owns the payment, succeeds, and none
   * after the payment was given up. Resolves to whether this call succeeded.
   */
  async #mark(id: string, lookUpAt: number): Promise<boolean> {
    const { ownership, ledger } = this.#parts
    const changed = await ledger.commit({
      write: async (tx) => {
        await ownership.assertLive(tx)
        return await tx.payment.updateMany({
          where: { id, status: 'held', sender: ownership.me },
          data: { status: 'sending', nextLookUpAt: new Date(lookUpAt) },
        })
      },
    })
    return changed.count === 1
  }

  /** Has the node send a payment, and records the outcome. Never throws, because the resolver handles errors. */
  async #execute(payment: Payment): Promise<void> {
    const call = this.#call(payment)
    const cancel = this.#parts.clock.after(SENDER_TIMEOUT_MS, () => this.#sending.delete(payment.id))
    const outcome = await call
    cancel()
    try {
      // After a stop, the next start finds the outcome. Do not write to a database that is being closed.
      if (this.#closed) return
      if (outcome.state === 'paid' || outcome.state === 'failed') {
        await finishPayment(this.#parts, payment.id, outcome)
      } else await this.#resolver.adopt(payment.id, outcome.evidence)
    } catch (error) {
      this.#parts.logger.error({ err: error, payment: payment.id }, 'the outcome of a payment could not be recorded')
    } finally {
      this.#sending.delete(payment.id)
    }
  }

  async #call(payment: Payment): Promise<PaymentOutcome> {
    // It was marked in time. If this process was frozen since, another may be about to record a failure.
    if (!this.#parts.ownership.isMine(payment.sender))
      return { state: 'unknown', evidence: 'another process may have taken it over before the node was asked' }
    try {
      const outcome = await askNode(this.#parts, payment)
      if (outcome.state !== 'paid' || proves(outcome.preimage, payment.paymentHash)) return outcome
      this.#parts.tell(wrongPreimage(payment.id))
      return { state: 'unknown', evidence: 'paid, it says, with a preimage that does not match' }
    } catch (error) {
      return { state: 'unknown', evidence: String(error) }
    }
  }

  /** Resolves when the work is done, or after `ms`, while the work continues. */
  #within(ms: number, work: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#parts.clock.after(ms, resolve)
      void work.then(() => {
        cancel()
        resolve()
      })
    })
  }
}

function askNode({ backend }: NodeParts, payment: Payment): Promise<PaymentOutcome> {
  const { paymentHash, invoice, destination } = payment
  const maxFee = msats(payment.maxFee)
  if (payment.kind === 'keysend') {
    const tlvRecords = JSON.parse(payment.tlvRecords)
    const preimage = payment.preimage ?? ''
    return backend.keysend({
      pubkey: destination,
      amount: msats(payment.amount),
      maxFee,
      preimage,
      paymentHash,
      tlvRecords,
      timeoutMs: CALL_TIMEOUT_MS,
    })
  }
  const amount = decodeAnyInvoice(invoice).amount === undefined ? msats(payment.amount) : undefined
  return backend.pay({ invoice, paymentHash, amount, maxFee, timeoutMs: CALL_TIMEOUT_MS })
}
