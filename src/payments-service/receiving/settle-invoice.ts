import type { AccountName, Condition, Row } from '../../ledger/ledger.ts'
import type { Msats } from '../../lib/money/amount.ts'
import type { Tx } from '../core/database.ts'
import { ServiceRefusal } from '../core/service-refusal.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import { chargeEnd, endCharge } from './charge.ts'
import { type Invoice, payeeAccount } from './own-invoice.ts'
import { takeSlot } from './static-charge.ts'

/** How an invoice of ours was paid. */
export interface Receipt {
  /** The credited amount, in msats. */
  readonly amount: Msats
  /** The amount that the node received for it; null when it was paid inside the books. */
  readonly received: Msats | null
  readonly preimage: string | null
  readonly settledAt: Date
  /** `inside`, or the backend's cursor of the settlement. */
  readonly settledBy: string
}

/** The invoice was settled before, by its other way: nothing of this change is kept. */
export class AlreadySettled extends Error {
  override name = 'AlreadySettled'
}

const NOT_SETTLED = { status: { not: 'settled' } } as const

/**
 * Applies a payment's effects besides the credit, in the same transaction. An invoice settles once, over the node or
 * inside the books: throws AlreadySettled for the second one, or where it is not `payable`.
 */
export async function completeInvoice(
  parts: ServiceParts,
  tx: Tx,
  invoice: Invoice,
  receipt: Receipt,
  payable: { readonly status: string | { not: string }; readonly expiresAt?: { gt: Date } } = NOT_SETTLED,
): Promise<void> {
  const { amount, received, preimage, settledAt, settledBy } = receipt
  const nextLookUpAt = received === null ? settledAt : null // The node must still be told not to take it again.
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

/** A payment of our own invoice by a wallet of ours, as parts of the payer's change. */
export interface InsideSettlement {
  /** To be credited with `amount` by the change's entry. */
  readonly payee: AccountName
  readonly amount: Msats
  /** The payer's proof, hex; null if our node does not reveal preimages of open invoices. */
  readonly preimage: string | null
  /**
   * To be called in the change's `write`: closes the invoice, completes what it is for, tells the person who made it.
   * Throws ServiceRefusal (already_paid, invoice_expired) when it is not open any more: then nothing of the change is
   * kept.
   */
  write(tx: Tx): Promise<void>
  /**
   * The same as conditions and rows of the change, which is quicker; undefined if it needs its own statements (a slot
   * of a static charge, a zap): then use `write`.
   */
  asData(): Promise<{ readonly conditions: readonly Condition[]; readonly rows: readonly Row[] } | undefined>
  /**
   * To be called after the commit, not awaited: has the node refuse the invoice. Failures are tried again by
   * themselves.
   */
  cancelAtNode(): void
}

/**
 * Settles an invoice of ours (`findInvoice`; the caller has compared the whole string) inside the books, at its face
 * value. The node may be paid for the same invoice at this very moment: then that second settlement ends in suspense.
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

/** The condition that an invoice is open, and what its payment inside the books makes of it. */
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
    // The node must still be told not to take it again.
    set: { status: 'settled', ...receipt, nextLookUpAt: settledAt, lookUps: 0, payer: '' },
  }
}

/**
 * Makes the node refuse an invoice that was paid inside the books, and notes that it does. A node that cannot cancel is
 * asked until the invoice expires. Resolves to whether nothing more is to be done.
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
