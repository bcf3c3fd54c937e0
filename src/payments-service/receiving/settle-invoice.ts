import type { AccountName, Condition, Row } from '../../ledger/ledger.ts'
import type { Msats } from '../../lib/money/amount.ts'
import type { Tx } from '../core/database.ts'
import { ServiceRefusal } from '../core/service-refusal.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import { chargeEnd, endCharge } from './charge.ts'
import { type Invoice, payeeAccount } from './own-invoice.ts'
import { takeSlot } from './static-charge.ts'

/** How our invoice was paid. */
export interface Receipt {
  /** The credited amount, in msats. */
  readonly amount: Msats
  /** The amount that the node received for the invoice; null if the invoice was paid inside the books. */
  readonly received: Msats | null
  readonly preimage: string | null
  readonly settledAt: Date
  /** How the invoice was settled: `inside`, the backend's cursor of the settlement, or `look-up`. */
  readonly settledBy: string
}

/** Thrown if the invoice was settled before, or cannot be paid any more, so nothing of this change is stored. */
export class AlreadySettled extends Error {
  override name = 'AlreadySettled'
}

const NOT_SETTLED = { status: { not: 'settled' } } as const

/**
 * Applies a payment's effects besides the credit, in the same transaction. An invoice settles once, through the node or
 * inside the books. Throws AlreadySettled for a second settlement, or if the invoice is not `payable`.
 */
export async function completeInvoice(
  parts: ServiceParts,
  tx: Tx,
  invoice: Invoice,
  receipt: Receipt,
  payable: { readonly status: string | { not: string }; readonly expiresAt?: { gt: Date } } = NOT_SETTLED,
): Promise<void> {
  const { amount, received, preimage, settledAt, settledBy } = receipt
  const nextLookUpAt = received === null ? settledAt : null // The node must still be told to refuse it.
  const settled = await tx.invoice.updateMany({
    where: { paymentHash: invoice.paymentHash, ...payable },
    data: {
      status: 'settled',
      receivedAmount: received,
      preimage,
      settledAt,
      settledBy,
      nextLookUpAt,
      lookUps: 0,
      payer: '',
    },
  })
  if (settled.count !== 1) throw new AlreadySettled(invoice.paymentHash)
  if (invoice.zapRequest !== '') await parts.zaps.record(tx, invoice)
  switch (invoice.purpose) {
    case 'charge':
      return endCharge(parts, tx, invoice.resourceId, { status: 'CHARGE_COMPLETED', confirmedAt: settledAt })
    case 'static-charge':
      return takeSlot(parts, tx, invoice, { amount, settledAt })
  }
}

/** A payment of our invoice by a wallet here, as parts of the payer's change. */
export interface InsideSettlement {
  /** The account that the change's entry must credit with `amount`. */
  readonly payee: AccountName
  readonly amount: Msats
  /** The payer's proof in hex; null if our node does not reveal preimages of open invoices. */
  readonly preimage: string | null
  /**
   * Closes the invoice, completes its purpose, and notifies its creator. Call it in the change's `write`. Throws
   * ServiceRefusal (already_paid, invoice_expired) if the invoice is no longer open; then nothing of the change is
   * stored.
   */
  write(tx: Tx): Promise<void>
  /**
   * Returns the settlement as conditions and rows of the change, which are faster than `write`. Resolves to undefined
   * if the settlement needs its own statements (a static charge's slot, a zap): then use `write`.
   */
  asData(): Promise<{ readonly conditions: readonly Condition[]; readonly rows: readonly Row[] } | undefined>
  /**
   * Has the node refuse the invoice. Call it after the commit, without awaiting it. Failures are tried again
   * automatically.
   */
  cancelAtNode(): void
}

/**
 * Prepares the settlement of our invoice inside the books, at its face value. The caller has found the invoice with
 * `findInvoice`, and compared the whole text. If the node is paid for the same invoice at the same moment, that second
 * settlement ends in suspense.
 */
export function settleInside(parts: ServiceParts, invoice: Invoice): InsideSettlement {
  const { paymentHash, preimage } = invoice
  const amount = invoice.amount as Msats
  return {
    payee: payeeAccount(invoice),
    amount,
    preimage,
    async asData() {
      const settledAt = new Date(parts.clock.now())
      const conditions = [closesInvoice(parts, invoice, settledAt)]
      if (invoice.zapRequest !== '' || invoice.purpose === 'static-charge') return undefined
      if (invoice.purpose !== 'charge') return { conditions, rows: [] }
      const end = { status: 'CHARGE_COMPLETED', confirmedAt: settledAt } as const
      const ended = await chargeEnd(parts, invoice.resourceId, end)
      return ended && { conditions: [...conditions, ended.condition], rows: ended.rows }
    },
    async write(tx) {
      const settledAt = new Date(parts.clock.now())
      const receipt = { amount, received: null, preimage, settledAt, settledBy: 'inside' }
      try {
        await completeInvoice(parts, tx, invoice, receipt, { status: 'open', expiresAt: { gt: settledAt } })
      } catch (error) {
        if (!(error instanceof AlreadySettled)) throw error
        const { status } = await tx.invoice.findUniqueOrThrow({ where: { paymentHash }, select: { status: true } })
        throw notPayable(status)
      }
    },
    cancelAtNode() {
      void cancelSettledInside(parts, paymentHash).catch((error: unknown) =>
        parts.logger.warn({ err: error, paymentHash }, 'the node was not told yet that an invoice is paid; it will be'),
      )
    },
  }
}

function notPayable(status: unknown): ServiceRefusal {
  return status === 'settled'
    ? new ServiceRefusal('already_paid', 'This invoice has been paid already.')
    : new ServiceRefusal('invoice_expired', 'This invoice has expired. Ask for a new one.')
}

/** Returns the condition that an invoice is open, with the columns that a payment inside the books sets. */
function closesInvoice(
  { clock }: Pick<ServiceParts, 'clock'>,
  { paymentHash, preimage, expiresAt }: Invoice,
  settledAt: Date,
): Condition {
  const receipt = { receivedAmount: null, preimage, settledAt, settledBy: 'inside' }
  return {
    table: 'Invoice',
    key: { paymentHash },
    expect: { status: 'open' },
    refusal: ([row]) =>
      row?.status === 'open' && expiresAt.getTime() > clock.now() ? undefined : notPayable(row?.status),
    // The node must still be told to refuse it.
    set: { status: 'settled', ...receipt, nextLookUpAt: settledAt, lookUps: 0, payer: '' },
  }
}

/**
 * Has the node refuse an invoice that was paid inside the books, and notes when the invoice is no longer open at the
 * node. A node that cannot cancel is asked again until the invoice has expired. Resolves to whether nothing more needs
 * to be done.
 */
export async function cancelSettledInside(parts: ServiceParts, paymentHash: string): Promise<boolean> {
  if (!(await isOverAtNode(parts, paymentHash))) return false
  await parts.ledger.commit({
    conditions: [{ table: 'Invoice', key: { paymentHash }, refusal: () => undefined, set: { nextLookUpAt: null } }],
  })
  return true
}

async function isOverAtNode({ backend }: ServiceParts, paymentHash: string): Promise<boolean> {
  if (backend.capabilities.cancelInvoice && (await backend.cancelInvoice(paymentHash)) !== 'unknown') return true
  const found = await backend.lookUpInvoice(paymentHash)
  return found !== undefined && found.state !== 'open'
}
