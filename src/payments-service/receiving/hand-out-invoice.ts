import { hash } from 'node:crypto'
import { descriptionHash } from '../../lib/lightning/lnurl-messages.ts'
import type { Msats } from '../../lib/money/amount.ts'
import type { Tx } from '../core/database.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import { sweepInvoices } from './invoice-sweeper.ts'
import { type IssuedInvoice, issueInvoice } from './own-invoice.ts'
import type { PayableName } from './payable-name.ts'

/** How long the invoices live that are handed out by LNURL. */
const LIFE_SECONDS = 120
/**
 * The same where one payment of one amount is all there can be: everybody who asks gets the same invoice, so nobody
 * waits for it, and it can be shown as a picture.
 */
const ONLY_ONE_LIFE_SECONDS = 3_600

/** Open invoices of one Lightning Address at most: anybody can have them made, and each is kept for a day. */
const MAX_OPEN = 1_000
/** One payer may reserve this part of the slots that are left, rounded up. */
const SHARE_OF_SLOTS = 1 / 4

/** Every slot is paid or reserved, or so many invoices are open that no other is made. */
export class NoSlotFree extends Error {
  override name = 'NoSlotFree'
}

export interface InvoiceOrder {
  readonly amount: Msats
  readonly comment: string
  /** LUD-18, as the wallet wrote it, checked; left out for nothing. */
  readonly payerData?: string
  /** NIP-57: the zap request as it came, and what the invoice keeps of it; left out for none. */
  readonly zap?: { readonly request: string; readonly stored: string } | undefined
  /** Whom the order counts for: a network or a user. Undefined: limits by payer are switched off. */
  readonly payer: string | undefined
}

/**
 * An invoice for a payer who scanned a code. Each invoice reserves a slot until it is paid, or can no longer be: so two
 * payers never get the last one both. When every slot is reserved, or the payer's share of them, no matter who asks for
 * the amount of an open invoice gets that invoice again. Throws NoSlotFree, or ServiceRefusal (nothing_sent).
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

/** A slot, and whom it counts for: empty for nobody. */
interface Claim {
  readonly staticChargeId: string
  readonly payer: string
}

/** Builds the stored form of a payer. It tells nothing of one who has asked for invoices of two static charges. */
function payerOf(staticChargeId: string, { payer }: InvoiceOrder): string {
  return payer === undefined ? '' : hash('sha256', `${staticChargeId}\n${payer}`, 'hex')
}

/** Made first, reserved then: nobody pays what nobody was shown. Undefined: somebody else, or this payer, had the last slot meanwhile. */
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
  // LUD-18: the invoice commits to what the payer said, right after the metadata. NIP-57: that of a zap to its request alone.
  const committed = payable.metadata + payerData
  const text = zap === undefined ? committed : zap.request
  const description = { text, hash: descriptionHash(text) }
  const isOnlyOne = payable.disposable && payable.minAmount === payable.maxAmount
  const expiresInSeconds = isOnlyOne ? ONLY_ONE_LIFE_SECONDS : LIFE_SECONDS
  const request = { amount, description, expiresInSeconds }
  return issueInvoice(parts, request, { ...payable.purpose, comment, payerData, zapRequest: zap?.stored ?? '' })
}

/**
 * The slots of a static charge that nobody has paid or reserved, and how many of those this payer may have. The book
 * counts, so all services on it share the limit.
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
  // Asked again where nobody else can reserve: many may have asked at the same moment, at several services.
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
