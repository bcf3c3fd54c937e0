import type { Row } from '../../../ledger/ledger.ts'
import type { Msats } from '../../../lib/money/amount.ts'
import type { Tx } from '../../core/database.ts'
import { schedulePoll } from '../polling/poller.ts'
import { type WalletRoute, writeReceiver } from './connections.ts'
import type { WalletContext } from './wallet-context.ts'
import { TAKE_UP_AFTER_MS } from './wallet-payments.ts'

/** A tip, reward or drop that a wallet pays, with one invoice for each recipient. */
export interface WalletGift {
  readonly tip: string
  /** The wallet's owner, as the connection stores it: a member or a server. */
  readonly payer: string
  readonly route: WalletRoute
  readonly shares: readonly WalletShare[]
  readonly at: Date
}

export interface WalletShare {
  /** The payment's id. */
  readonly id: string
  readonly recipient: string
  /** The share, in msats. */
  readonly amount: Msats
  /** A card that shows the payment beside the gift's own card. */
  readonly card?: string
}

/** Returns the rows of a gift's payments as they are before any wallet is asked. */
export function paymentRows(gift: WalletGift): Row[] {
  return gift.shares.map((share, nth) => ({ table: 'WalletPayment', values: valuesOf(gift, share, nth) }))
}

function valuesOf({ tip, payer, route, at }: WalletGift, share: WalletShare, ordinal: number) {
  const { id, recipient, amount, card = null } = share
  const receiver = route.receivers.get(recipient)
  if (receiver === undefined) throw new Error(`the route has no receiver for ${recipient}`)
  const parties = { sender: payer, recipient, connection: route.connection, receiver: writeReceiver(receiver) }
  return {
    ...{ id, tipId: tip, ordinal, ...parties, amount, state: 'asked', card, createdAt: at, evidence: '' },
    ...{ invoice: null, paymentHash: null, verify: null, expiresAt: null },
    ...{ preimage: null, failure: null, endedAt: null },
  }
}

/** Adds payments to an existing gift, in the transaction that decides on them, and schedules polls of them. */
export async function addPayments(tx: Tx, gift: WalletGift): Promise<void> {
  const before = await tx.walletPayment.count({ where: { tipId: gift.tip } })
  const waiting = await tx.walletPayment.count({ where: { tipId: gift.tip, state: 'asked' } })
  await tx.walletPayment.createMany({ data: gift.shares.map((share, nth) => valuesOf(gift, share, before + nth)) })
  await pollPayments(tx, gift, waiting)
}

/**
 * Schedules polls of a gift's payments, in the transaction that stores the payments. The polls are staggered, so that
 * each payment first gets its turn in the wallet's queue.
 */
export async function pollPayments(tx: Tx, { shares, at }: WalletGift, before = 0): Promise<void> {
  for (const [nth, { id }] of shares.entries()) {
    const takeUpAt = new Date(at.getTime() + (before + nth + 1) * TAKE_UP_AFTER_MS)
    await schedulePoll(tx, { id, kind: 'wallet-payment', bornAt: at }, takeUpAt)
  }
}

/** Asks the wallet to make the payments. Call this as soon as the change that stores the payments is durable. */
export function startPayments(context: WalletContext, { route, shares }: WalletGift): void {
  context.wallets.payments.start(
    route.connection,
    shares.map(({ id }) => id),
  )
  void context.poller.wake()
}
