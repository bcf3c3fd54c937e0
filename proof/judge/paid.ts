import type { BookWatch } from './book-watch.ts'

/**
 * Returns a payment to our node for an invoice, and the preimage that proves it; undefined if nothing arrived through
 * the network.
 */
export function arrivalOf(
  lightning: BookWatch,
  paymentHash: string,
): { readonly amount: bigint; readonly preimage: string } | undefined {
  const [arrival] = lightning.rows<{ amount: bigint; preimage: string }>(
    `SELECT amount, preimage FROM arrival WHERE payee = 'ours' AND paymentHash = ?`,
    paymentHash,
  )
  return arrival
}

/** Whether an invoice of the service was paid inside the service, from a balance there. */
export function isPaidInside(serviceBook: BookWatch, paymentHash: string): boolean {
  const paid = `SELECT 1 AS one FROM "Payment" WHERE "paymentHash" = ? AND "status" = 'completed'`
  return serviceBook.rows(paid, paymentHash).length > 0
}
