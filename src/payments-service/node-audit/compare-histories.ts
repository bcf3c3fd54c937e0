import pLimit from 'p-limit'
import type { InvoiceStatus, LightningBackend, OddRecord, PaymentLookUp, SentPayment } from '../backends/backend.ts'
import { isOdd } from '../backends/node-answers.ts'
import type { Tx } from '../core/database.ts'
import { validDecision } from '../engine/sending/decisions.ts'
import type { PaymentDecision } from '../generated/client.ts'
import type { ReadBook } from './compare-with-node.ts'

export interface HistoryParts {
  readonly read: ReadBook
  readonly backend: Pick<LightningBackend, 'lookUpPayment' | 'lookUpInvoice' | 'sentPayments'>
}

/** A payment or invoice whose outcome differs between book and node. */
export interface Disagreement {
  readonly what: 'payment' | 'invoice'
  /** The payment's id; for an invoice, or for a payment that is not in the book, the payment hash. */
  readonly id: string
  /** A sentence about what each side reports. */
  readonly text: string
  /**
   * True if only the node has a record of the payment, because somebody also uses the node for other things. In that
   * case the book is right.
   */
  readonly onlyNode?: true
}

/** How many of the newest records of each kind are compared. */
const NEWEST = 50
const MAX_CONCURRENT = 8

/**
 * Compares the book's newest payments and invoices with the node's records of them, and looks for the node's newest
 * payments in the book. Ignores whatever the node does not report.
 */
export async function compareHistories(parts: HistoryParts): Promise<Disagreement[]> {
  const found = [...(await comparePayments(parts)), ...(await compareInvoices(parts))]
  return [...found, ...(await unknownToBook(parts))]
}

async function comparePayments({ read, backend }: HistoryParts): Promise<Disagreement[]> {
  const orderBy = { createdAt: 'desc' } as const
  const finals = await Promise.all(
    ['completed', 'failed'].map((status) =>
      read((tx) => tx.payment.findMany({ where: { status }, orderBy, take: NEWEST })),
    ),
  )
  return await each(finals.flat(), async ({ id, status: ended, paymentHash, amount }) => {
    const decision = await read((tx) => validDecision(tx, id))
    const status = decision === undefined || decision.corrects === '' ? ended : statusOf(decision)
    // Our own invoice was settled inside the books, so the node never saw it.
    if ((await read((tx) => tx.invoice.count({ where: { paymentHash } }))) > 0) return undefined
    const said = await backend.lookUpPayment(paymentHash)
    if (said.state === 'unknown') return undefined
    const what = `payment ${id} of ${amount} msats (hash ${paymentHash})`
    if (status === 'completed' && said.state !== 'paid') {
      return { what: 'payment', id, text: `The book says that ${what} was paid; the node ${inWords(said)}.` }
    }
    const isPaidAfterAll = status === 'failed' && said.state === 'paid'
    if (!isPaidAfterAll || (await isTriedAgain(read, paymentHash))) return undefined
    return {
      what: 'payment',
      id,
      text: `The book says that ${what} failed, and gave the sats back; the node ${inWords(said)}.`,
    }
  })
}

/** Returns a payment's status according to a correction, which counts instead of the decision that it corrects. */
function statusOf({ outcome }: PaymentDecision): string {
  return outcome === 'paid' ? 'completed' : 'failed'
}

/** Whether an invoice has another payment that did not fail. The node's report then concerns that other payment. */
async function isTriedAgain(read: ReadBook, paymentHash: string): Promise<boolean> {
  const where = { paymentHash, status: { not: 'failed' } }
  return (await read((tx: Tx) => tx.payment.count({ where }))) > 0
}

async function compareInvoices({ read, backend }: HistoryParts): Promise<Disagreement[]> {
  const orderBy = { createdAt: 'desc' } as const
  const settled = { status: 'settled', NOT: { settledBy: 'inside' } }
  const ended = await Promise.all(
    [settled, { status: 'closed' }].map((where) => read((tx) => tx.invoice.findMany({ where, orderBy, take: NEWEST }))),
  )
  return await each(ended.flat(), async ({ paymentHash: id, status, receivedAmount }) => {
    const said = await backend.lookUpInvoice(id)
    if (status === 'closed') {
      if (said?.state !== 'settled') return undefined
      const text = `The node received ${said.received} msats for the invoice ${id}, which the book has closed as unpaid.`
      return { what: 'invoice', id, text }
    }
    if (said?.state === 'settled' && said.received === receivedAmount) return undefined
    const text = `The book credited ${receivedAmount} msats for the invoice ${id}; the node ${invoiceInWords(said)}.`
    return { what: 'invoice', id, text }
  })
}

async function unknownToBook({ read, backend }: HistoryParts): Promise<Disagreement[]> {
  const sent = (await backend.sentPayments?.(NEWEST).catch(() => [])) ?? []
  const where = { paymentHash: { in: sent.flatMap(({ paymentHash = [] }) => paymentHash) } }
  const known = await read((tx) => tx.payment.findMany({ where, select: { paymentHash: true } }))
  const hashes = new Set(known.map(({ paymentHash }) => paymentHash))
  const node = await read((tx) => tx.bookNode.findFirst())
  return sent
    .filter((one) => one.paymentHash === undefined || !hashes.has(one.paymentHash))
    .filter((one) => isOdd(one) || node === null || one.at >= node.since)
    .map((one) => ({ what: 'payment', id: one.paymentHash ?? 'unknown', text: sentInWords(one), onlyNode: true }))
}

function sentInWords(one: SentPayment | OddRecord): string {
  const hash = `(hash ${one.paymentHash ?? 'unknown'})`
  if (isOdd(one)) {
    return `The node lists a payment ${hash} that cannot be read and that the book does not know. Look at it there. Details: ${one.odd}.`
  }
  return `The node sent ${one.amount} msats at ${one.at.toISOString()} ${hash}, and the book does not know of it.`
}

async function each<Record>(
  records: readonly Record[],
  compare: (record: Record) => Promise<Disagreement | undefined>,
): Promise<Disagreement[]> {
  const found = await pLimit(MAX_CONCURRENT).map(records, (record) => compare(record).catch(() => undefined))
  return found.filter((one) => one !== undefined)
}

function inWords({ state }: PaymentLookUp): string {
  switch (state) {
    case 'paid':
      return 'says that it was paid'
    case 'failed':
      return 'says that it failed'
    case 'absent':
      return 'has no record of it'
    default:
      return 'says that it is under way'
  }
}

function invoiceInWords(said: InvoiceStatus | undefined): string {
  if (said === undefined) return 'has no record of it'
  return said.state === 'settled' ? `says ${said.received} msats` : `says that it is ${said.state}`
}
