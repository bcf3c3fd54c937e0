import { now } from '../../core/context.ts'
import type { Tx } from '../../core/database.ts'
import type { Card, WalletConnection, WalletPayment } from '../../generated/client.ts'
import { pollAgain } from '../polling/poller.ts'
import { isServer, writeReceiver } from './connections.ts'
import { isProvable } from './evidence.ts'
import type { WalletContext } from './wallet-context.ts'

/**
 * How long to wait for a wallet's answer before the giver is offered to pay by hand, because the wallet may be asleep.
 */
export const OFFER_AFTER_MS = 10_000
/** The time that a person needs to open a wallet and scan a code. */
const MIN_LEFT_MS = 20_000

/** The largest number of recipients of a gift whose giver is sent an invoice for each recipient. */
const MAX_OFFERED = 10

export const INVOICE_CARD = 'wallet-invoice'

/** The connection's id in the payments of a giver who has connected no wallet. */
export const BY_HAND = ''

/**
 * Shows the giver the invoice that their wallet did not pay, or has not paid yet. Any wallet can pay it. It is the
 * gift's only invoice, so the gift is paid once. Does nothing if the invoice was paid, is about to expire, or is shown
 * already, or if the receiver's side cannot report the payment: the tip would be called unpaid and given again. Also
 * does nothing for a server's wallet, in whose place nobody pays, and for a drop's share, which is void if the wallet
 * cannot pay it.
 */
export async function offerByHand(
  context: WalletContext,
  { id, tipId, sender, card: own }: WalletPayment,
): Promise<void> {
  if (isServer(sender)) return
  if (own !== null) return
  if ((await context.database.read.walletPayment.count({ where: { tipId } })) > MAX_OFFERED) return
  await context.commit({
    write: async (tx) => {
      const payment = await tx.walletPayment.findUnique({ where: { id } })
      if (payment === null || !isPayable(payment, context.clock.now() + MIN_LEFT_MS)) return
      if ((await invoiceCardOf(tx, id)) !== null || !(await isProvable(tx, payment))) return
      const card = { id: context.entropy.uuid(), kind: INVOICE_CARD, record: id, audience: { member: sender } } as const
      await tx.card.create({ data: context.cards.values(card) })
      // Only the receiver's side can report a payment by hand, so it is asked from now on.
      await pollAgain(tx, [id], now(context))
    },
  })
  void context.poller.wake()
}

/** Whether a payment's invoice can still be paid at that time (ms since 1970). */
export function isPayable({ state, expiresAt }: Pick<WalletPayment, 'state' | 'expiresAt'>, at: number): boolean {
  return state !== 'paid' && expiresAt !== null && at < expiresAt.getTime()
}

/** Returns the card that shows a payment's invoice to its giver; null if the giver was not offered the invoice. */
export async function invoiceCardOf(client: Pick<Tx, 'card'>, payment: string): Promise<Card | null> {
  return await client.card.findUnique({ where: { kind_record: { kind: INVOICE_CARD, record: payment } } })
}

/** Returns the payments into a connection's wallet that may have been made, or can still be made. */
export async function openInto(
  client: Pick<Tx, 'walletPayment'>,
  { member: recipient, id: connection }: Pick<WalletConnection, 'member' | 'id'>,
  at: Date,
): Promise<{ readonly id: string }[]> {
  const isOpen = { OR: [{ state: 'unknown' }, { state: { not: 'paid' }, expiresAt: { gt: at } }] }
  const receiver = writeReceiver({ kind: 'wallet', connection })
  return await client.walletPayment.findMany({ where: { recipient, receiver, ...isOpen }, select: { id: true } })
}

/** Redraws the invoices that could be paid into a connection's wallet, because the wallet can no longer be asked. */
export async function showUnseen(
  { cards }: Pick<WalletContext, 'cards'>,
  tx: Tx,
  connection: Pick<WalletConnection, 'member' | 'id'>,
  at: Date,
): Promise<void> {
  const payments = await openInto(tx, connection, at)
  const record = { in: payments.map(({ id }) => id) }
  const shown = await tx.card.findMany({ where: { kind: INVOICE_CARD, record }, select: { id: true } })
  await cards.raise(
    tx,
    shown.map(({ id }) => id),
  )
}
