import type { Row } from '../../../ledger/ledger.ts'
import type { Msats } from '../../../lib/money/amount.ts'
import type { Tx } from '../../core/database.ts'
import { schedulePoll } from '../polling/poller.ts'
import { type WalletRoute, writeReceiver } from './connections.ts'
import type { WalletContext } from './wallet-context.ts'
import { TAKE_UP_AFTER_MS } from './wallet-payments.ts'

/** A tip or reward that a wallet pays: an invoice for each of its recipients. */
export interface WalletGift {
  readonly tip: string
  /** Whose wallet it is, as its connection names the owner. */
  readonly payer: string
  readonly route: WalletRoute
  readonly shares: readonly WalletShare[]
  readonly at: Date
}

export interface WalletShare {
  /** Of the payment. */
  readonly id: string
  readonly recipient: string
  /** Msats. */
  readonly amount: Msats
}

/** Its payments as they are stored before anybody is asked for anything. */
export function paymentRows({ tip, payer, route, shares, at }: WalletGift): Row[] {
  return shares.map(({ id, recipient, amount }, ordinal) => {
    const receiver = route.receivers.get(recipient)
    if (receiver === undefined) throw new Error(`nobody knows how to pay ${recipient}`)
    const parties = { sender: payer, recipient, connection: route.connection, receiver: writeReceiver(receiver) }
    return {
      table: 'WalletPayment',
      values: {
        ...{ id, tipId: tip, ordinal, ...parties, amount, state: 'asked', createdAt: at, evidence: '' },
        ...{ invoice: null, paymentHash: null, verify: null, expiresAt: null },
        ...{ preimage: null, failure: null, endedAt: null },
      },
    }
  })
}

/** Has its payments looked at later, in the transaction that stores them. Each has its turn until then. */
export async function pollPayments(tx: Tx, { shares, at }: WalletGift): Promise<void> {
  for (const [nth, { id }] of shares.entries()) {
    const takeUpAt = new Date(at.getTime() + (nth + 1) * TAKE_UP_AFTER_MS)
    await schedulePoll(tx, { id, kind: 'wallet-payment', bornAt: at }, takeUpAt)
  }
}

/** Has the wallet asked, once the change is durable. */
export function startPayments(context: WalletContext, { route, shares }: WalletGift): void {
  context.wallets.payments.start(
    route.connection,
    shares.map(({ id }) => id),
  )
  void context.poller.wake()
}
