import type { Row } from '../../../ledger/ledger.ts'
import type { Msats } from '../../../lib/money/amount.ts'
import type { Tx } from '../../core/database.ts'
import { schedulePoll } from '../polling/poller.ts'
import { type WalletRoute, writeReceiver } from './connections.ts'
import type { WalletContext } from './wallet-context.ts'
import { TAKE_UP_AFTER_MS } from './wallet-payments.ts'

/** A tip, reward or drop that a wallet pays: an invoice for each of its recipients. */
export interface WalletGift {
  readonly tip: string
  /** The wallet's owner, as its connection names them. */
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
  /** Shows it beside the gift's own card. */
  readonly card?: string
}

/** Its payments in their stored form, before anybody is asked. */
export function paymentRows(gift: WalletGift): Row[] {
  return gift.shares.map((share, nth) => ({ table: 'WalletPayment', values: valuesOf(gift, share, nth) }))
}

function valuesOf({ tip, payer, route, at }: WalletGift, share: WalletShare, ordinal: number) {
  const { id, recipient, amount, card = null } = share
  const receiver = route.receivers.get(recipient)
  if (receiver === undefined) throw new Error(`nobody knows how to pay ${recipient}`)
  const parties = { sender: payer, recipient, connection: route.connection, receiver: writeReceiver(receiver) }
  return {
    ...{ id, tipId: tip, ordinal, ...parties, amount, state: 'asked', card, createdAt: at, evidence: '' },
    ...{ invoice: null, paymentHash: null, verify: null, expiresAt: null },
    ...{ preimage: null, failure: null, endedAt: null },
  }
}

/** Adds payments to a gift that has some already, in the transaction that decides on them, and has them looked at later. */
export async function addPayments(tx: Tx, gift: WalletGift): Promise<void> {
  const before = await tx.walletPayment.count({ where: { tipId: gift.tip } })
  const waiting = await tx.walletPayment.count({ where: { tipId: gift.tip, state: 'asked' } })
  await tx.walletPayment.createMany({ data: gift.shares.map((share, nth) => valuesOf(gift, share, before + nth)) })
  await pollPayments(tx, gift, waiting)
}

/**
 * Schedules a look at its payments, in the transaction that stores them. Each has its turn until then, after those that
 * wait before it.
 */
export async function pollPayments(tx: Tx, { shares, at }: WalletGift, before = 0): Promise<void> {
  for (const [nth, { id }] of shares.entries()) {
    const takeUpAt = new Date(at.getTime() + (before + nth + 1) * TAKE_UP_AFTER_MS)
    await schedulePoll(tx, { id, kind: 'wallet-payment', bornAt: at }, takeUpAt)
  }
}

/** Asks the wallet, once the change is durable. */
export function startPayments(context: WalletContext, { route, shares }: WalletGift): void {
  context.wallets.payments.start(
    route.connection,
    shares.map(({ id }) => id),
  )
  void context.poller.wake()
}
