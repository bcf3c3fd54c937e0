import { hash } from 'node:crypto'
import { descriptionHash } from '../../lib/lightning/lnurl-messages.ts'
import type { Msats } from '../../lib/money/amount.ts'
import type { Tx } from '../core/database.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import { sweepInvoices } from './invoice-sweeper.ts'
import { type IssuedInvoice, issueInvoice } from './own-invoice.ts'
import type { PayableName } from './payable-name.ts'

/** The lifetime of invoices that LNURL hands out. */
const LIFE_SECONDS = 120
/**
 * The lifetime if only one payment of one amount is possible. Everybody who asks gets the same invoice, so nobody has
 * to wait until that invoice expires, and the invoice can be shown as a picture.
 */
const ONLY_ONE_LIFE_SECONDS = 3_600

/** The most open invoices of one Lightning Address: anybody can have them made, and each is stored for a day. */
const MAX_OPEN = 1_000
/** The part of the remaining slots that one payer may reserve, rounded up. */
const SHARE_OF_SLOTS = 1 / 4

/** Thrown if every slot is paid or reserved, or too many invoices are open. */
export class NoSlotFree extends Error {
  override name = 'NoSlotFree'
}

export interface InvoiceOrder {
  readonly amount: Msats
  readonly comment: string
  /** Checked payer data (LUD-18), as the wallet wrote it. Omitted if there is none. */
  readonly payerData?: string
  /** The zap request (NIP-57) as it was received, and what the invoice stores about it. Omitted if there is none. */
  readonly zap?: { readonly request: string; readonly stored: string } | undefined
  /** The network or user whose limits the order counts toward; undefined if there are no limits per payer. */
  readonly payer: string | undefined
}

/**
 * Returns an invoice for a payer who scanned a code. For a static charge, each invoice reserves a slot until the
 * invoice is paid, or can no longer be paid, so two payers never both get the last slot. If every slot, or the payer's
 * whole share, is reserved, anybody who requests an invoice for the amount of an open one gets that open invoice.
 * Throws NoSlotFree, or ServiceRefusal (nothing_sent).
 */
export async function handOutInvoice(parts: ServiceParts, payable: PayableName, order: InvoiceOrder): Promise<string> {
  const { staticChargeId } = payable
  if (staticChargeId === undefined) return handOutUncounted(parts, payable, order)
  const claim = { staticChargeId, payer: payerOf(staticChargeId, order) }
  let free = await freeSlots(parts.database.read, claim)
  if (free.now <= 0) {
    await sweepInvoices(parts, staticChargeId)
    free = await freeSlots(parts.database.read, claim)
  }
  const issued = isFree(free) ? await issueAndReserve(parts, payable, order, claim) : undefined
  return issued?.request ?? (await openInvoice(parts, staticChargeId, order))
}

/** A claim to a slot. `payer` is the payer toward whose limit the claim counts, or empty if there is no such limit. */
interface Claim {
  readonly staticChargeId: string
  readonly payer: string
}

/**
 * Returns the form in which a payer is stored. This form does not reveal that the same payer has requested invoices of
 * two static charges.
 */
function payerOf(staticChargeId: string, { payer }: InvoiceOrder): string {
  return payer === undefined ? '' : hash('sha256', `${staticChargeId}\n${payer}`, 'hex')
}

/**
 * Makes an invoice before it reserves a slot, which is safe because nobody can pay an invoice that nobody was shown.
 * Resolves to undefined if somebody else, or this payer, took the last slot in the meantime.
 */
async function issueAndReserve(
  parts: ServiceParts,
  payable: PayableName,
  order: InvoiceOrder,
  claim: Claim,
): Promise<IssuedInvoice | undefined> {
  const issued = await issue(parts, payable, order)
  try {
    await parts.ledger.commit({ write: (tx) => reserve(tx, claim, issued) })
    return issued
  } catch (error) {
    if (!(error instanceof NoSlotFree)) throw error
    parts.backend.cancelInvoice(issued.paymentHash).catch(() => undefined)
    return undefined
  }
}

async function handOutUncounted(parts: ServiceParts, payable: PayableName, order: InvoiceOrder): Promise<string> {
  const { resourceId } = payable.purpose
  const open = await parts.database.read.invoice.count({ where: { resourceId, status: 'open' }, take: MAX_OPEN })
  if (open >= MAX_OPEN) throw new NoSlotFree(resourceId)
  const issued = await issue(parts, payable, order)
  await parts.ledger.commit({ rows: [issued.row] })
  return issued.request
}

function issue(parts: ServiceParts, payable: PayableName, order: InvoiceOrder): Promise<IssuedInvoice> {
  const { amount, comment, payerData = '', zap } = order
  // LUD-18: the invoice commits to the metadata and the payer's data after it. NIP-57: a zap's invoice commits to its
  // request alone.
  const committed = payable.metadata + payerData
  const text = zap === undefined ? committed : zap.request
  const description = { text, hash: descriptionHash(text) }
  const isOnlyOne = payable.disposable && payable.minAmount === payable.maxAmount
  const expiresInSeconds = isOnlyOne ? ONLY_ONE_LIFE_SECONDS : LIFE_SECONDS
  const request = { amount, description, expiresInSeconds }
  return issueInvoice(parts, request, { ...payable.purpose, comment, payerData, zapRequest: zap?.stored ?? '' })
}

/**
 * Returns a static charge's free slots, and how many of them this payer may have. The book counts the slots, so all
 * services on it share the limit.
 */
async function freeSlots(database: Pick<Tx, 'staticCharge' | 'invoice'>, { staticChargeId: id, payer }: Claim) {
  const { slots, allowedSlots } = await database.staticCharge.findUniqueOrThrow({ where: { id } })
  const unpaid = allowedSlots - slots
  const open = { resourceId: id, status: 'open' }
  const now = unpaid - (await database.invoice.count({ where: open }))
  if (payer === '') return { now, forPayer: now }
  const share = Math.ceil(unpaid * SHARE_OF_SLOTS)
  return { now, forPayer: share - (await database.invoice.count({ where: { ...open, payer } })) }
}

function isFree({ now, forPayer }: { readonly now: number; readonly forPayer: number }): boolean {
  return now > 0 && forPayer > 0
}

async function reserve(tx: Tx, claim: Claim, { row }: IssuedInvoice): Promise<void> {
  // Checked again where nobody else can reserve: many may have asked at the same moment, at several services.
  if (!isFree(await freeSlots(tx, claim))) throw new NoSlotFree(claim.staticChargeId)
  const data = { ...row.values, payer: claim.payer } as unknown as Parameters<Tx['invoice']['create']>[0]['data']
  await tx.invoice.create({ data })
}

async function openInvoice(parts: ServiceParts, resourceId: string, order: InvoiceOrder): Promise<string> {
  const { amount, payerData = '', zap } = order
  const { read } = parts.database
  const charge = await read.staticCharge.findUniqueOrThrow({ where: { id: resourceId } })
  const open = await read.invoice.findFirst({
    where: {
      resourceId,
      status: 'open',
      amount,
      payerData,
      zapRequest: zap?.stored ?? '',
      expiresAt: { gt: new Date(parts.clock.now()) },
    },
    orderBy: { expiresAt: 'desc' },
  })
  if (open === null || charge.slots >= charge.allowedSlots) throw new NoSlotFree(resourceId)
  return open.request
}
