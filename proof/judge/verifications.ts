import { createHash } from 'node:crypto'
import type { BookWatch } from './book-watch.ts'
import type { Faults } from './faults.ts'
import { arrivalOf, isPaidInside } from './paid.ts'

/** The service's answer about an invoice that it handed out (LUD-21). */
export interface Verification {
  readonly paymentHash: string
  /** The payment request in the answer. */
  readonly invoice: string
  readonly settled: boolean
  readonly preimage: string | null
}

/** Judges whether payers, and shops that pass invoices on, learn the truth about payments. */
export class Verifications {
  /** The verification address and the text of each invoice that was handed out, by payment hash. */
  readonly handedOut = new Map<string, { readonly url: string; readonly invoice: string }>()
  readonly #faults: Faults

  constructor(faults: Faults) {
    this.#faults = faults
  }

  /**
   * Checks an answer: only paid invoices are settled, and their preimages are disclosed only if the network has them.
   */
  told({ paymentHash, invoice, settled, preimage }: Verification, lightning: BookWatch, serviceBook: BookWatch): void {
    const arrival = arrivalOf(lightning, paymentHash)
    const about = `of the invoice ${paymentHash}`
    this.#faults.expect(
      invoice === this.handedOut.get(paymentHash)?.invoice,
      () => `somebody asked ${about}, and was told of ${invoice}`,
    )
    this.#faults.expect(
      !settled || arrival !== undefined || isPaidInside(serviceBook, paymentHash),
      () => `somebody was told ${about} that it is paid, and nobody has paid it`,
    )
    if (preimage === null) return
    const isRight = createHash('sha256').update(Buffer.from(preimage, 'hex')).digest('hex') === paymentHash
    this.#faults.expect(
      settled && isRight && arrival !== undefined,
      () => `somebody was told ${about} the preimage ${preimage}, which the network does not know`,
    )
  }

  /**
   * Checks the final answer: every paid invoice must be settled. `last` is undefined if the service no longer has the
   * invoice.
   */
  judge(paymentHash: string, last: Verification | undefined, lightning: BookWatch, serviceBook: BookWatch): void {
    if (last !== undefined) this.told(last, lightning, serviceBook)
    const isPaid = arrivalOf(lightning, paymentHash) !== undefined || isPaidInside(serviceBook, paymentHash)
    this.#faults.expect(
      !isPaid || last?.settled === true,
      () => `the invoice ${paymentHash} was paid, and somebody is told that it is not`,
    )
  }
}
