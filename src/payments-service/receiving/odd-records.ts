import type { OddRecord } from '../backends/backend.ts'
import type { ServiceParts } from '../engine/service-parts.ts'

/** How many odd records are remembered, so that a list that is read repeatedly is reported once. */
const MAX_REMEMBERED = 10_000

/**
 * Creates the part that sets aside the node's reports of real or apparent receipts that cannot be read. It alerts
 * operators once to each report. If a report names an open invoice of ours, that invoice is looked up repeatedly until
 * the answer can be read. The reports that follow do not have to wait.
 */
export function createOddRecords({ database, ledger, bookClock, tell }: ServiceParts) {
  const remembered = new Set<string>()
  return {
    /**
     * Sets a report aside, and resolves when the look-up is scheduled. Ignores a report of a receipt that the book
     * already contains.
     */
    async setAside({ odd, paymentHash }: OddRecord): Promise<void> {
      const key = paymentHash ?? odd
      if (remembered.has(key)) return
      const where = { paymentHash: paymentHash ?? '' }
      const invoice = await database.read.invoice.findUnique({ where })
      const isKnown =
        invoice?.status === 'settled' || (await database.read.unclaimedReceipt.findFirst({ where })) !== null
      if (!isKnown) {
        const data = { nextLookUpAt: new Date(bookClock.earliest()), lookUps: 0 }
        await ledger.commit({
          write: (tx) => tx.invoice.updateMany({ where: { ...where, status: { not: 'settled' } }, data }),
        })
        tell({ alert: 'odd_record', text: inWords(odd, paymentHash, invoice !== null), fields: { paymentHash, odd } })
      }
      remembered.add(key)
      const [oldest] = remembered
      if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest)
    },
  }
}

function inWords(odd: string, paymentHash: string | undefined, isOurs: boolean): string {
  const which = paymentHash === undefined ? 'without a payment hash' : `with the payment hash ${paymentHash}`
  const what = isOurs
    ? 'It is an invoice of this service, which is asked for again and again, and credited once the answer can be read.'
    : 'No invoice of this service has that hash: if it arrived, nobody is credited, and npm run audit shows it as a surplus.'
  return `The node tells of a payment ${which} in an unreadable form. ${what} All other payments are credited as usual. Look at it at the node. Details: ${odd}`
}
