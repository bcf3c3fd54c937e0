import { NewestNames } from '../../../lib/newest-names.ts'
import type { PaymentsDatabase } from '../../core/database.ts'

/** Payers remembered at most. */
const MAX_PAYERS = 10_000

/** How many of a receiver's invoices that nobody has paid yet may be one payer's. */
export interface OpenInvoiceShares {
  /**
   * Runs `issue`, which makes an invoice and resolves to its payment hash once it is in the book, or to undefined if none was
   * made. It does not run it if `payer` has `share` open ones of the receiver: then it resolves to undefined. `share` is at
   * least 1.
   */
  within<T extends { readonly paymentHash: string }>(
    claim: { readonly receiver: string; readonly payer: string; readonly share: number },
    issue: () => Promise<T | undefined>,
  ): Promise<T | undefined>
}

interface Issued {
  /** Undefined while it is made. */
  paymentHash: string | undefined
}

/** Remembers in memory who has which; a start forgets it, and no invoice lives long. */
export function createOpenInvoiceShares({ read }: Pick<PaymentsDatabase, 'read'>): OpenInvoiceShares {
  const payers = new NewestNames<Issued[]>(MAX_PAYERS)

  /** Drops those that are not open any more. */
  async function forgetEnded(issued: Issued[]): Promise<void> {
    const hashes = issued.flatMap(({ paymentHash }) => paymentHash ?? [])
    const where = { paymentHash: { in: hashes }, status: 'open' }
    const open = await read.invoice.findMany({ where, select: { paymentHash: true } })
    const isOpen = new Set(open.map(({ paymentHash }) => paymentHash))
    const ended = new Set(hashes.filter((hash) => !isOpen.has(hash)))
    const left = issued.filter(({ paymentHash }) => paymentHash === undefined || !ended.has(paymentHash))
    issued.splice(0, issued.length, ...left)
  }

  return {
    async within({ receiver, payer, share }, issue) {
      const issued = payers.use(`${receiver}\n${payer}`, () => [])
      if (issued.length >= share) await forgetEnded(issued)
      if (issued.length >= share) return undefined
      const mine: Issued = { paymentHash: undefined }
      issued.push(mine)
      try {
        const made = await issue()
        mine.paymentHash = made?.paymentHash
        return made
      } finally {
        if (mine.paymentHash === undefined) issued.splice(issued.indexOf(mine), 1)
      }
    },
  }
}
