import type { BookWatch } from './book-watch.ts'
import type { Faults } from './faults.ts'
import { arrivalOf, isPaidInside } from './paid.ts'

/** A zap request that the service answered with an invoice. */
export interface AcceptedZap {
  /** The signed request, as it was sent. */
  readonly request: string
  /** The amount in the request, in msats. */
  readonly asked: bigint
  readonly invoice: string
  readonly paymentHash: string
  /** The invoice's amount. */
  readonly amount: bigint
}

/** A receipt that a relay received for publication. */
export interface ZapReceipt {
  readonly id: string
  readonly kind: number
  readonly tags: readonly (readonly string[])[]
}

const RECEIPT = 9_735

/**
 * Checks the receipts of zaps: a receipt says that a request was paid, so that it may be published only if the invoice
 * for that request was paid.
 */
export class Zaps {
  readonly #faults: Faults
  /** The accepted zaps, by their signed requests. */
  readonly #accepted = new Map<string, AcceptedZap>()
  readonly #published = new Map<string, string>()

  constructor(faults: Faults) {
    this.#faults = faults
  }

  accepted(zap: AcceptedZap): void {
    this.#accepted.set(zap.request, zap)
    this.#faults.expect(
      zap.asked === zap.amount,
      () => `a zap of ${zap.asked} msats was given an invoice for ${zap.amount}`,
    )
  }

  /** Notes that a relay received a receipt. */
  published({ id, kind, tags }: ZapReceipt, lightning: BookWatch, serviceBook: BookWatch): void {
    const value = (name: string) => tags.find(([tag]) => tag === name)?.[1] ?? ''
    const zap = this.#accepted.get(value('description'))
    const say = (what: string) => this.#faults.add(`the receipt ${id} of a zap ${what}`)
    // Nobody here knows the request behind an invoice without an answer.
    if (zap === undefined) return
    if (kind !== RECEIPT) say(`is an event of kind ${kind}`)
    if (value('bolt11') !== zap.invoice) say(`names ${value('bolt11')}, and ${zap.invoice} was given for its request`)
    if (!isPaid(zap, lightning, serviceBook)) say(`was published, and nobody has paid ${zap.paymentHash}`)
    const before = this.#published.get(zap.request) ?? id
    if (before !== id) say(`is another one than ${before}, which is about the same payment`)
    this.#published.set(zap.request, before)
  }

  /** Judges all accepted zaps at the end. */
  judge(lightning: BookWatch, serviceBook: BookWatch): void {
    for (const zap of this.#accepted.values())
      this.#faults.expect(
        !isPaid(zap, lightning, serviceBook) || this.#published.has(zap.request),
        () => `a zap of ${zap.amount} msats was paid by ${zap.paymentHash}, and no receipt was published`,
      )
  }
}

function isPaid({ paymentHash }: AcceptedZap, lightning: BookWatch, serviceBook: BookWatch): boolean {
  return arrivalOf(lightning, paymentHash) !== undefined || isPaidInside(serviceBook, paymentHash)
}
