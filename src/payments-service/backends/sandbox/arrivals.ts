import type { ArrivalRow, NetworkFile, NodeName, PaymentRow } from './network-file.ts'

const BATCH = 100

/** The incoming payments of each node, stored once and in order. Listeners are notified of new ones. */
export class Arrivals {
  readonly #file: NetworkFile
  readonly #listeners = new Set<() => void>()
  #closed = false

  constructor(file: NetworkFile) {
    this.#file = file
  }

  /**
   * Delivers a payment to its payee: credits the payee's node and settles the invoice. Must be called inside a
   * transaction.
   */
  record(payee: NodeName, payment: Omit<PaymentRow, 'id'>, at: number): void {
    const { paymentHash, kind, amount, preimage, tlvRecords } = payment
    this.#file.addArrival({ payee, paymentHash, kind, amount, preimage, tlvRecords, at })
    this.#file.credit(payee, amount)
    if (kind === 'invoice') this.#file.endInvoice(paymentHash, 'settled')
    // Listeners read the file, so they must not run before the open transaction has ended.
    queueMicrotask(() => this.#ring())
  }

  /**
   * Yields everything that a node received after `cursor`, then each further arrival, until the signal aborts or the
   * network is closed.
   */
  async *since(payee: NodeName, cursor: bigint, signal: AbortSignal): AsyncGenerator<ArrivalRow> {
    let last = cursor
    while (!signal.aborted && !this.#closed) {
      const batch = this.#file.arrivalsAfter(payee, last, BATCH)
      const durable = batch.length > 0 ? this.#file.durable() : undefined
      if (durable !== undefined) await durable
      for (const arrival of batch) {
        if (signal.aborted) return
        yield arrival
        last = arrival.cursor
      }
      if (batch.length === 0) await this.#next(signal)
    }
  }

  close(): void {
    this.#closed = true
    this.#ring()
  }

  #ring(): void {
    for (const listener of [...this.#listeners]) listener()
  }

  #next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#listeners.delete(wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      this.#listeners.add(wake)
      signal.addEventListener('abort', wake)
    })
  }
}
