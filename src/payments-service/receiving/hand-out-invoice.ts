import { descriptionHash } from '../../lib/lightning/lnurl-messages.ts'
import type { Msats } from '../../lib/money/amount.ts'
import type { Tx } from '../database.ts'
import type { ServiceParts } from '../parts.ts'
import { sweepInvoices } from './invoice-sweeper.ts'
import { type IssuedInvoice, issueInvoice } from './own-invoice.ts'
import type { PayableName } from './payable-name.ts'

/** How long the invoices live that are handed out by LNURL. */
const LIFE_SECONDS = 120

/** Every slot is paid or reserved. */
export class NoSlotFree extends Error {
  override name = 'NoSlotFree'
}

/**
 * An invoice for a payer who scanned a code. Each invoice reserves a slot until it is paid, or can no longer be: so two
 * payers never get the last one both. When every slot is reserved, whoever asks for the amount of an open invoice gets
 * that invoice again. Throws NoSlotFree, or ServiceRefusal (nothing_sent).
 */
export async function handOutInvoice(
  parts: ServiceParts,
  payable: PayableName,
  amount: Msats,
  comment: string,
): Promise<string> {
  const { staticChargeId } = payable
  if (staticChargeId === undefined) {
    const issued = await issue(parts, payable, amount, comment)
    await parts.ledger.commit({ rows: [issued.row] })
    return issued.request
  }
  if (!(await hasFreeSlot(parts.database.read, staticChargeId))) {
    await sweepInvoices(parts, staticChargeId)
    if (!(await hasFreeSlot(parts.database.read, staticChargeId))) return openInvoice(parts, staticChargeId, amount)
  }
  // Made first, reserved then: an invoice that nobody was shown cannot be paid, so one that comes too late is harmless.
  const issued = await issue(parts, payable, amount, comment)
  try {
    await parts.ledger.commit({ write: (tx) => reserve(tx, staticChargeId, issued) })
    return issued.request
  } catch (error) {
    if (!(error instanceof NoSlotFree)) throw error
    parts.backend.cancelInvoice(issued.paymentHash).catch(() => undefined)
    return openInvoice(parts, staticChargeId, amount)
  }
}

function issue(parts: ServiceParts, payable: PayableName, amount: Msats, comment: string): Promise<IssuedInvoice> {
  const description = { text: payable.metadata, hash: descriptionHash(payable.metadata) }
  const request = { amount, description, expiresInSeconds: LIFE_SECONDS }
  return issueInvoice(parts, request, { ...payable.purpose, comment })
}

async function hasFreeSlot(database: Pick<Tx, 'staticCharge' | 'invoice'>, id: string): Promise<boolean> {
  const { slots, allowedSlots } = await database.staticCharge.findUniqueOrThrow({ where: { id } })
  if (slots >= allowedSlots) return false
  return slots + (await database.invoice.count({ where: { resourceId: id, status: 'open' } })) < allowedSlots
}

async function reserve(tx: Tx, staticChargeId: string, { row }: IssuedInvoice): Promise<void> {
  if (!(await hasFreeSlot(tx, staticChargeId))) throw new NoSlotFree(staticChargeId)
  await tx.invoice.create({ data: row.values as Parameters<Tx['invoice']['create']>[0]['data'] })
}

async function openInvoice(parts: ServiceParts, resourceId: string, amount: Msats): Promise<string> {
  const { read } = parts.database
  const charge = await read.staticCharge.findUniqueOrThrow({ where: { id: resourceId } })
  const open = await read.invoice.findFirst({
    where: { resourceId, status: 'open', amount, expiresAt: { gt: new Date(parts.clock.now()) } },
    orderBy: { expiresAt: 'desc' },
  })
  if (open === null || charge.slots >= charge.allowedSlots) throw new NoSlotFree(resourceId)
  return open.request
}
