/**
 * The node's deductions from payments that it receives, as some nodes make them for a channel that they open or
 * liquidity that they buy: its owner gets less than the payer sent. Outlives the processes that call the node.
 */
export class Shortfalls {
  /** Each invoice's amount at the node, in msats, without those whose payer chooses. */
  readonly #asked = new Map<string, bigint>()
  readonly #kept = new Map<string, bigint>()
  /** The deductions from the next payments, in percent. */
  #next: number[] = []
  #happened: () => void = () => {}

  /** Deducts these parts, in percent, from the next payments that match their invoices. `happened` receives each. */
  shorten(parts: readonly number[], happened: () => void): void {
    this.#next.push(...parts)
    this.#happened = happened
  }

  /** Notes that the node has made an invoice. */
  asked(paymentHash: string, amount: bigint | undefined): void {
    if (amount !== undefined) this.#asked.set(paymentHash, amount)
  }

  /** Returns the node's reported receipt for this amount; the same each time. */
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
