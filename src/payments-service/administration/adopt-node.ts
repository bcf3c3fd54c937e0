import type { Ledger } from '../../ledger/ledger.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Network } from '../../lib/lightning/bolt11.ts'
import { watchOthers } from '../../lib/ownership/others-at-work.ts'
import type { PaymentsDatabase, Tx } from '../core/database.ts'
import { BACKEND_KINDS } from '../engine/node/backend-list.ts'
import { noteBookNode, readBookNode } from '../engine/node/book-node.ts'
import { OPEN_STATES } from '../engine/sending/payment-record.ts'
import { CURSOR } from '../receiving/settlement-consumer.ts'

export interface NewNode {
  readonly kind: string
  /** The node's public key in hex. */
  readonly pubkey: string
  readonly network: Network
  /**
   * Whether to close the earlier node's open invoices. Anybody who still pays such an invoice pays a node that the book
   * no longer uses.
   */
  readonly dropInvoices?: boolean
}

/** The error that reports that the book cannot change its node. `message` says why and what to do. */
export class CannotAdopt extends Error {
  override name = 'CannotAdopt'
}

interface AdoptParts {
  readonly database: PaymentsDatabase
  readonly ledger: Ledger<Tx>
  readonly clock: Clock
}

/**
 * Ties the book to another node, after an operator confirms that all money has moved there. No service may use the
 * book, because a running service would continue with the old node. The old node's payments must have ended, because
 * only that node knows their outcome. Its invoices must have ended, too, unless the operator drops them. Resolves to
 * the moment from which the book belongs to the new node.
 */
export async function adoptNode(
  { database, ledger, clock }: AdoptParts,
  { kind, pubkey, network, dropInvoices = false }: NewNode,
): Promise<Date> {
  if (!BACKEND_KINDS.includes(kind))
    throw new CannotAdopt(`The kind of a node must be one of ${BACKEND_KINDS.join(', ')}, not "${kind}".`)
  if (!/^0[23][0-9a-f]{64}$/.test(pubkey))
    throw new CannotAdopt('The public key of a node must be 66 hexadecimal digits that begin with 02 or 03.')
  const before = await readBookNode(database.read)
  if (before?.kind === 'sandbox' && kind !== 'sandbox') {
    throw new CannotAdopt('The sats of a sandbox cannot move to a real node. Begin with a new payments database.')
  }
  if (before !== null && before.network !== network) {
    throw new CannotAdopt(
      `The sats in the book are on ${before.network}, but this node is on ${network}. Begin with a new database.`,
    )
  }
  const someWorkOn = await watchOthers(clock, database.read)
  const since = new Date(clock.now())
  await ledger.commit({
    write: async (tx) => {
      if (await someWorkOn(tx)) {
        throw new CannotAdopt(
          'A payments service is using this book. Stop every service that uses it, then run this again.',
        )
      }
      await refuseWhileOpen(tx, dropInvoices)
      await tx.cursor.deleteMany({ where: { backend: CURSOR } })
      await noteBookNode(tx, { kind, pubkey, network, since })
    },
  })
  return since
}

async function refuseWhileOpen(tx: Tx, dropInvoices: boolean): Promise<void> {
  const payments = await tx.payment.count({ where: { status: { in: OPEN_STATES } } })
  if (payments > 0) {
    throw new CannotAdopt(
      `The previous node has payments that have not ended (${payments}), and only that node knows how they end. Start the service with that node once more, and wait until they have ended.`,
    )
  }
  const open = { nextLookUpAt: { not: null } }
  const invoices = await tx.invoice.count({ where: open })
  if (invoices === 0) return
  if (!dropInvoices) {
    throw new CannotAdopt(
      `${invoices} invoices of the previous node can still be paid there. Start the service with that node once more and wait until the invoices have expired, or drop them with --drop-invoices.`,
    )
  }
  await tx.invoice.updateMany({ where: { ...open, status: 'open' }, data: { status: 'closed', payer: '' } })
  await tx.invoice.updateMany({ where: open, data: { nextLookUpAt: null } })
}
