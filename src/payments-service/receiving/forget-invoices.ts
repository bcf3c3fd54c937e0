import type { ServiceParts } from '../engine/service-parts.ts'

/**
 * How long an unpaid invoice is stored after its expiry. By then, the node has proven that the invoice can no longer
 * settle. If that is wrong, a settlement within this time is still credited; a later one waits in suspense.
 */
const RETENTION_MS = 24 * 3_600_000
/** The most rows that one commit deletes, few enough that no payment waits long behind it. */
const BATCH_SIZE = 200

/**
 * Deletes some invoices that LNURL handed out and nobody paid: anybody can have them made, and nothing displays them.
 * Invoices of charges stay with the charges, and paid invoices stay, too. Resolves to whether there may be more.
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
  // Checked again in the transaction, so an invoice that settles at this moment stays.
  await ledger.commit({
    write: async (tx) => void (await tx.invoice.deleteMany({ where: { ...unpaid, paymentHash } })),
  })
  return found.length === BATCH_SIZE
}
