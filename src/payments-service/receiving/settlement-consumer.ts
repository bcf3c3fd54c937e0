import { AlreadyWritten, type Move } from '../../ledger/ledger.ts'
import { aborted, pause } from '../../lib/clock.ts'
import { type Msats, msats } from '../../lib/money/amount.ts'
import { OwnershipLost } from '../../lib/ownership/ownership.ts'
import type { Worker } from '../../lib/worker.ts'
import type { InvoiceStatus, Settlement } from '../backends/backend.ts'
import { isLaterCursor } from '../backends/cursor-order.ts'
import { isOdd } from '../backends/node-answers.ts'
import { NODE, OPERATOR, SUSPENSE } from '../core/chart-of-accounts.ts'
import type { Tx } from '../core/database.ts'
import { readBookNode } from '../engine/node/book-node.ts'
import { proves } from '../engine/sending/finish-payment.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import { createOddRecords } from './odd-records.ts'
import { findInvoice, type Invoice, payeeAccount } from './own-invoice.ts'
import { invoiceByOffer } from './own-offer.ts'
import { storedComment } from './payer-comment.ts'
import { AlreadySettled, completeInvoice } from './settle-invoice.ts'

/** The pauses in ms before a broken stream is reopened. The last one repeats forever. */
const PAUSES_MS = [100, 500, 2_000, 10_000, 30_000]

/**
 * How many times in a row, within about twelve seconds, the writing of a settlement must fail before operators are
 * alerted.
 */
const STUCK_AFTER = 5

/** The name of the book's only cursor, because the book belongs to one node at a time. */
export const CURSOR = 'node'

/**
 * Credits what our node receives, in the order of its settlements. Each credit stores the cursor, so a restart neither
 * misses nor repeats a settlement. After any error, the stream reopens at the book's cursor. If several services share
 * the book, only one of them does this: each transaction that moves the cursor asserts that the job is this service's.
 */
export function startSettlementConsumer(parts: ServiceParts): Worker {
  const stop = new AbortController()
  const running = consume(parts, stop.signal)
  return {
    async close() {
      stop.abort()
      await running
    },
  }
}

async function consume(parts: ServiceParts, closing: AbortSignal): Promise<void> {
  const stuck = createStuckAlert(parts)
  const odd = createOddRecords(parts)
  for (let failures = 0; !closing.aborted; ) {
    const lost = await parts.ownership.untilHas('settlements', closing)
    if (lost === undefined) return
    const signal = AbortSignal.any([closing, lost])
    try {
      const saved = await parts.database.read.cursor.findUnique({ where: { backend: CURSOR } })
      // A backend may only report what comes after the call.
      if (signal.aborted) continue
      for await (const settlement of parts.backend.settledInvoices(saved?.value, signal)) {
        if (signal.aborted) break
        if (isOdd(settlement)) await odd.setAside(settlement)
        else await creditSettlement(parts, settlement).catch((error) => stuck.failed(settlement, error))
        failures = 0
        if (signal.aborted) break
      }
    } catch (error) {
      if (closing.aborted) return
      if (!lost.aborted && !(error instanceof OwnershipLost))
        parts.logger.error({ err: error }, 'settlements cannot be credited just now; they will be')
    }
    if (closing.aborted) return
    const wait = PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)] ?? 0
    failures += 1
    await Promise.race([pause(parts.clock, wait), aborted(closing)])
  }
}

/**
 * Creates the part that alerts operators once to each settlement that cannot be written, because no later settlement is
 * credited before it.
 */
function createStuckAlert({ tell }: ServiceParts) {
  let stuck = { paymentHash: '', times: 0 }
  return {
    failed({ paymentHash, received }: Settlement, error: unknown): never {
      if (!(error instanceof OwnershipLost)) {
        stuck = { paymentHash, times: paymentHash === stuck.paymentHash ? stuck.times + 1 : 1 }
        if (stuck.times === STUCK_AFTER) {
          const fields = { err: error, paymentHash, amount: `${received}` }
          const text =
            'A payment that arrived cannot be written into the book, and nothing after it is credited until it is. The error in the log says why: fix that, and it continues by itself.'
          tell({ alert: 'settlement_stuck', text, fields })
        }
      }
      throw error
    },
  }
}

/** The `settledBy` of an invoice whose settlement a look-up found. */
const LOOKED_UP = 'look-up'

/**
 * Writes one settlement into the books, once, with the cursor. A payment without an open invoice of ours (a keysend, a
 * hash settled inside the books, an unknown hash, somebody else's offer) waits on the suspense account for the
 * operator. A node settles a payment hash once, so a hash that was credited before is a repeated delivery.
 */
export function creditSettlement(parts: ServiceParts, settlement: Settlement): Promise<void> {
  return creditReceived(parts, settlement)
}

/** Writes a settlement that a look-up found into the books in the same way, but without the cursor. */
export async function creditLookedUp(
  parts: ServiceParts,
  paymentHash: string,
  found: Extract<InvoiceStatus, { state: 'settled' }>,
): Promise<void> {
  await creditReceived(parts, { ...found, paymentHash, keysend: false, cursor: undefined })
}

async function creditReceived(parts: ServiceParts, settlement: Settlement): Promise<void> {
  const found = settlement.keysend ? undefined : await findInvoice(parts, settlement.paymentHash)
  if (found?.status === 'settled' && found.settledBy !== 'inside') {
    return acceptRepetition(parts, settlement, found)
  }
  if (await isSuspended(parts, settlement)) return saveCursor(parts, settlement)
  if (found === undefined && (await isOlderThanBook(parts, settlement))) return
  const invoice = found ?? (await invoiceByOffer(parts, settlement))
  const reason = suspicion(settlement, invoice)
  try {
    if (invoice === undefined || reason !== undefined) await suspend(parts, settlement, reason ?? 'unknown invoice')
    else await credit(parts, settlement, { invoice, isNew: found === undefined })
  } catch (error) {
    // It was settled inside the books after it was read, so this is its second settlement.
    if (error instanceof AlreadySettled || error instanceof AlreadyWritten) return creditReceived(parts, settlement)
    throw error
  }
}

/**
 * Accepts a settlement that is already credited. Alerts operators if the node now reports another amount for this
 * settlement.
 */
async function acceptRepetition(parts: ServiceParts, settlement: Settlement, invoice: Invoice): Promise<void> {
  if (invoice.receivedAmount !== settlement.received) {
    const { paymentHash, received } = settlement
    const fields = { paymentHash, credited: `${invoice.receivedAmount}`, received: `${received}` }
    const text = `The node says now that it received ${received} msats for ${paymentHash}, of which it had said ${invoice.receivedAmount}. The credit stands. Look at the node's own record of it, and run npm run audit.`
    parts.tell({ alert: 'settlement_changed', text, fields })
  }
  await saveCursor(parts, settlement)
}

async function isSuspended({ database }: ServiceParts, { paymentHash }: Settlement): Promise<boolean> {
  return (await database.read.unclaimedReceipt.findFirst({ where: { paymentHash } })) !== null
}

/** Whether a settlement is from before the book was tied to the node, and so does not belong to the book. */
async function isOlderThanBook({ database }: ServiceParts, { settledAt }: Settlement): Promise<boolean> {
  const node = await readBookNode(database.read)
  return node !== null && settledAt < node.since
}

function suspicion(settlement: Settlement, invoice: Invoice | undefined): string | undefined {
  if (settlement.keysend) return 'keysend'
  if (invoice === undefined) return settlement.offer ? `unknown offer ${settlement.offer.id}` : 'unknown invoice'
  return invoice.status === 'settled' ? 'second settlement' : undefined
}

/**
 * Credits a settlement to the invoice's payee. `isNew`: our node made the invoice for a payer of an offer, so the book
 * does not contain the invoice yet.
 */
async function credit(
  parts: ServiceParts,
  settlement: Settlement,
  { invoice, isNew }: { readonly invoice: Invoice; readonly isNew: boolean },
): Promise<void> {
  const { received, settledAt, cursor } = settlement
  const preimage = provenPreimage(parts, settlement) ?? invoice.preimage
  const face = invoice.amount as Msats
  const amount = received > face ? received : face
  const payee = payeeAccount(invoice)
  // At least the face value is credited. The operator bears what the node charges for receiving.
  const moves: Move[] = [
    { from: NODE, to: payee, amount: received },
    { from: OPERATOR, to: payee, amount: msats(amount - received) },
  ]
  if (amount > received) {
    const { paymentHash } = invoice
    const fields = { paymentHash, received: `${received}`, face: `${face}` }
    const text = `The node received ${received} msats for an invoice of ${face}. Its owner is credited in full, and the operator bears the rest; npm run audit says how much that is by now.`
    parts.tell({ alert: 'short_settlement', text, fields })
  }
  await parts.ledger.commit({
    entries: [{ operation: `invoice:${invoice.paymentHash}`, step: 'post', moves }],
    write: async (tx) => {
      if (isNew) await tx.invoice.create({ data: invoice })
      await completeInvoice(parts, tx, invoice, {
        amount,
        received,
        preimage,
        settledAt,
        settledBy: cursor ?? LOOKED_UP,
      })
      await writeCursor(parts, tx, settlement)
    },
  })
  logReceipt(parts, invoice, amount)
}

/** Returns the payer's proof; null if there is none, or a wrong one, which a working node does not send. */
function provenPreimage({ tell }: ServiceParts, { preimage, paymentHash }: Settlement): string | null {
  if (preimage === undefined) return null
  if (proves(preimage, paymentHash)) return preimage
  const text = `The node says that the invoice ${paymentHash} was paid, with a preimage that does not match. It is credited all the same. Check the node: a working one does not do that.`
  tell({ alert: 'wrong_preimage', text, fields: { paymentHash } })
  return null
}

function logReceipt({ logger }: ServiceParts, invoice: Invoice, amount: Msats): void {
  const { purpose, resourceId, payeeKind, payeeId, paymentHash } = invoice
  const fields = { purpose, resource: resourceId, payee: `${payeeKind}:${payeeId}`, paymentHash, amount: `${amount}` }
  logger.info(fields, 'a payment has arrived')
}

async function suspend(parts: ServiceParts, settlement: Settlement, reason: string): Promise<void> {
  const { paymentHash, received, settledAt, offer } = settlement
  const note = offer === undefined ? '' : storedComment(offer.note)
  const operation = `receipt:${paymentHash}`
  await parts.ledger.commit({
    entries: [{ operation, step: 'post', moves: [{ from: NODE, to: SUSPENSE, amount: received }] }],
    write: async (tx) => {
      await tx.unclaimedReceipt.create({
        data: { id: parts.entropy.uuid(), paymentHash, amount: received, reason, note, settledAt },
      })
      await writeCursor(parts, tx, settlement)
    },
  })
  parts.tell({
    alert: 'unclaimed_receipt',
    text: `The node received ${received} msats that no open invoice explains (${reason}). They wait on the suspense account: npm run -s admin -- suspense list shows what waits there, and suspense give gives it to its owner.`,
    fields: { paymentHash, amount: `${received}`, reason },
  })
}

async function saveCursor(parts: ServiceParts, settlement: Settlement): Promise<void> {
  if (settlement.cursor === undefined) return
  await parts.ledger.commit({ write: (tx) => writeCursor(parts, tx, settlement) })
}

/** Moves the cursor forward, never back. Throws OwnershipLost if another process credits settlements. */
async function writeCursor({ clock, ownership }: ServiceParts, tx: Tx, { cursor }: Settlement): Promise<void> {
  if (cursor === undefined) return
  await ownership.assertHas(tx, 'settlements')
  const saved = await tx.cursor.findUnique({ where: { backend: CURSOR } })
  if (saved !== null && !isLaterCursor(cursor, saved.value)) return
  const at = new Date(clock.now())
  await tx.cursor.upsert({
    where: { backend: CURSOR },
    create: { backend: CURSOR, value: cursor, at },
    update: { value: cursor, at },
  })
}
