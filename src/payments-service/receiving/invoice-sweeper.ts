import pLimit from 'p-limit'
import { pauseAfterFailures } from '../../lib/pause-after-failures.ts'
import { startWorker, type Worker } from '../../lib/worker.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import type { Invoice } from '../generated/client.ts'
import { endCharge } from './charge.ts'
import { cancelSettledInside } from './settle-invoice.ts'
import { creditLookedUp } from './settlement-consumer.ts'

/** The longest time between two rounds. The next round comes earlier if an invoice is due earlier. */
const EVERY_MS = 15_000
const MAX_CONCURRENT = 16
const BATCH_SIZE = 500
/** The pauses in ms between look-ups of one invoice. The last one repeats until the node's answer is final. */
const PAUSES_MS = [1_000, 5_000, 30_000, 300_000, 3_600_000]

/**
 * Closes expired invoices, each only when the node proves that the invoice can no longer settle. This expires the
 * invoice's charge, or frees its slot. Also has the node refuse invoices that were paid inside the books, if that
 * failed at first. While the wall clock cannot be trusted, uses the earlier of the book's time and the clock's, and
 * closes nothing, but still credits settled invoices. If several services share the book, only one of them does this.
 */
export function startInvoiceSweeper(parts: ServiceParts): Worker {
  async function pauseMs(failures: number): Promise<number> {
    const due = await untilDue(parts).catch(() => EVERY_MS)
    return failures === 0 ? due : Math.max(due, pauseAfterFailures(failures))
  }
  const failed = (error: unknown) => parts.logger.error({ err: error }, 'invoices cannot be looked after just now')
  const round = async () => {
    if (parts.ownership.has('invoices')) await sweepInvoices(parts)
  }
  return startWorker({ clock: parts.clock, round, pauseMs, failed })
}

async function untilDue({ database, bookClock }: ServiceParts): Promise<number> {
  const next = await database.read.invoice.findFirst({
    where: { nextLookUpAt: { not: null } },
    orderBy: { nextLookUpAt: 'asc' },
    select: { nextLookUpAt: true },
  })
  const wait = (next?.nextLookUpAt?.getTime() ?? Number.POSITIVE_INFINITY) - bookClock.earliest()
  // A due record was just processed, or could not be, so it waits for the next second.
  return Math.min(EVERY_MS, Math.max(wait, 1_000))
}

/** Processes the due invoices, or only those of one resource. */
export async function sweepInvoices(parts: ServiceParts, resourceId?: string): Promise<void> {
  const due = await parts.database.read.invoice.findMany({
    where: {
      nextLookUpAt: { lte: new Date(parts.bookClock.earliest()) },
      ...(resourceId !== undefined && { resourceId }),
    },
    orderBy: { nextLookUpAt: 'asc' },
    take: BATCH_SIZE,
  })
  await pLimit(MAX_CONCURRENT).map(due, (invoice) => lookAfter(parts, invoice))
}

async function lookAfter(parts: ServiceParts, invoice: Invoice): Promise<void> {
  const done = await askNode(parts, invoice).catch((error: unknown) => {
    parts.logger.warn(
      { err: error, paymentHash: invoice.paymentHash },
      'the node did not say what became of an invoice',
    )
    return false
  })
  if (done) return
  const wait = PAUSES_MS[Math.min(invoice.lookUps, PAUSES_MS.length - 1)] ?? 0
  const now = parts.bookClock.earliest()
  const expiresAt = invoice.expiresAt.getTime()
  // An odd record may cause an early check, but the invoice is due at its own time in any case.
  const nextLookUpAt = new Date(now < expiresAt ? Math.min(now + wait, expiresAt) : now + wait)
  await parts.ledger.commit({
    write: async (tx) => {
      await tx.invoice.updateMany({
        where: { paymentHash: invoice.paymentHash, nextLookUpAt: { not: null } },
        data: { nextLookUpAt, lookUps: { increment: 1 } },
      })
    },
  })
}

/**
 * Asks the node about an invoice, and resolves to whether nothing more needs to be asked. Also credits a settlement,
 * because not every node reports all settlements in its stream. A settlement that the stream reports, too, is credited
 * once.
 */
async function askNode(parts: ServiceParts, { paymentHash, status, expiresAt }: Invoice): Promise<boolean> {
  if (status === 'settled') return cancelSettledInside(parts, paymentHash)
  const found = await parts.backend.lookUpInvoice(paymentHash)
  if (found?.state === 'settled') {
    await creditLookedUp(parts, paymentHash, found)
    return true
  }
  // By a wrong clock, an invoice may seem expired that somebody is about to pay, and some nodes use this machine's
  // clock.
  if (!parts.bookClock.isSteady() || !parts.bookClock.hasPassed(expiresAt)) return false
  if (found?.state === 'gone') {
    const text = `The node has deleted the invoice ${paymentHash}, which counts as unpaid now. Let it keep its invoices: nobody finds a payment of a deleted one.`
    parts.tell({ alert: 'invoice_gone', text, fields: { paymentHash } })
  }
  if (found?.state === 'closed' || found?.state === 'gone') return closeInvoice(parts, paymentHash)
  if (found?.state !== 'open' || !parts.backend.capabilities.cancelInvoice) return false
  return (await parts.backend.cancelInvoice(paymentHash)) === 'canceled' && closeInvoice(parts, paymentHash)
}

async function closeInvoice(parts: ServiceParts, paymentHash: string): Promise<true> {
  await parts.ledger.commit({
    write: async (tx) => {
      const where = { paymentHash, status: 'open' }
      const closed = await tx.invoice.updateMany({ where, data: { status: 'closed', nextLookUpAt: null, payer: '' } })
      if (closed.count === 0) return
      const { purpose, resourceId } = await tx.invoice.findUniqueOrThrow({ where: { paymentHash } })
      if (purpose === 'charge') await endCharge(parts, tx, resourceId, { status: 'CHARGE_EXPIRED', confirmedAt: null })
    },
  })
  return true
}
