import type { ServiceParts } from '../engine/service-parts.ts'

/**
 * How long an invoice that nobody paid is kept after its time. The node has proven that it can no longer settle. If
 * that is wrong, a settlement within this time is still credited; later it waits in suspense.
 */
const RETENTION_MS = 24 * 3_600_000
/** Rows of one commit: no payment waits long behind it. */
const BATCH_SIZE = 200

/**
 * Forgets some invoices that were handed out by LNURL and never paid: anybody can have them made, and nothing shows
 * them. Invoices of charges stay with their charge, and so do paid ones. Resolves to whether there may be more.
 */
export async function forgetInvoices({ database, ledger, clock }: ServiceParts): Promise<boolean> {
  const unpaid = {
    purpose: { in: ['address', 'static-charge'] },
    status: 'closed',
    expiresAt: { lte: new Date(clock.now() - RETENTION_MS) },
  }
  const found = await database.read.invoice.findMany({ where: unpaid, select: { paymentHash: true }, take: BATCH_SIZE })
  if (found.length === 0) return false
  const paymentHash = { in: found.map((invoice) => invoice.paymentHash) }
  // Asked again in the transaction: one that settles at this moment, after all, stays.
  await ledger.commit({
    write: async (tx) => void (await tx.invoice.deleteMany({ where: { ...unpaid, paymentHash } })),
  })
  return found.length === BATCH_SIZE
}
