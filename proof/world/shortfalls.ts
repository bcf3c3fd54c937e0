/**
 * The node's deductions from payments that it receives, as some nodes make them for the channel that they open or the
 * liquidity that they buy: its owner hears of less than the payer sent. Outlives the processes that ask the node.
 */
export class Shortfalls {
  /** Each invoice's amount at the node, in msats; not those whose payer chooses. */
  readonly #asked = new Map<string, bigint>()
  readonly #kept = new Map<string, bigint>()
  /** How many payments are still to be shortened, by which part in percent. */
  #next: number[] = []
  #happened: () => void = () => {}

  /** The next payments of what their invoices ask for are shortened by these parts, in percent. `happened` hears of each. */
  shorten(parts: readonly number[], happened: () => void): void {
    this.#next.push(...parts)
    this.#happened = happened
  }

  /** The node has made an invoice. */
  asked(paymentHash: string, amount: bigint | undefined): void {
    if (amount !== undefined) this.#asked.set(paymentHash, amount)
  }

  /** The node's reported receipt of this amount; the same each time. */
  received(paymentHash: string, sent: bigint): bigint {
    const kept = this.#kept.get(paymentHash) ?? this.#keepOf(paymentHash, sent)
    this.#kept.set(paymentHash, kept)
    return sent - kept
  }

  /** The node's deduction from the payment of this hash, in msats. */
  of(paymentHash: string): bigint {
    return this.#kept.get(paymentHash) ?? 0n
  }

  /** Sum of all payments, in msats. */
  get total(): bigint {
    return [...this.#kept.values()].reduce((sum, kept) => sum + kept, 0n)
  }

  #keepOf(paymentHash: string, sent: bigint): bigint {
    // An overpaying payer pays for the node's deduction.
    if (this.#asked.get(paymentHash) !== sent) return 0n
    const part = this.#next.shift()
    if (part === undefined) return 0n
    this.#happened()
    return (sent * BigInt(part)) / 100n
  }
}
