/**
 * The node's deductions from payments that it receives, as some nodes make them for a channel that they open or
 * liquidity that they buy: the node's owner gets less than the payer sent. This object outlives the processes that call
 * the node.
 */
export class Shortfalls {
  /**
   * The amount of each of the node's invoices, in msats, by payment hash, except those whose payer chooses the amount.
   */
  readonly #asked = new Map<string, bigint>()
  readonly #kept = new Map<string, bigint>()
  /** The deductions from the next payments, in percent. */
  #next: number[] = []
  #happened: () => void = () => {}

  /**
   * Deducts these percentages from the next payments whose amounts match their invoices. `happened` is called for each
   * deduction.
   */
  shorten(parts: readonly number[], happened: () => void): void {
    this.#next.push(...parts)
    this.#happened = happened
  }

  /** Notes that the node has made an invoice. */
  asked(paymentHash: string, amount: bigint | undefined): void {
    if (amount !== undefined) this.#asked.set(paymentHash, amount)
  }

  /** Returns the receipt that the node reports for a payment of `sent` msats, which is the same each time. */
  received(paymentHash: string, sent: bigint): bigint {
    const kept = this.#kept.get(paymentHash) ?? this.#keepOf(paymentHash, sent)
    this.#kept.set(paymentHash, kept)
    return sent - kept
  }

  /** Returns the node's deduction from the payment with this hash, in msats. */
  of(paymentHash: string): bigint {
    return this.#kept.get(paymentHash) ?? 0n
  }

  /** The sum of all deductions, in msats. */
  get total(): bigint {
    return [...this.#kept.values()].reduce((sum, kept) => sum + kept, 0n)
  }

  #keepOf(paymentHash: string, sent: bigint): bigint {
    // A payer who overpays covers the node's deduction.
    if (this.#asked.get(paymentHash) !== sent) return 0n
    const part = this.#next.shift()
    if (part === undefined) return 0n
    this.#happened()
    return (sent * BigInt(part)) / 100n
  }
}
