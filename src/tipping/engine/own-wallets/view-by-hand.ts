import { type Msats, msats } from '../../../lib/money/amount.ts'
import type { ReadonlyBook } from '../../core/context.ts'
import { TippingRefusal } from '../../core/tipping-refusal.ts'
import type { WalletPayment } from '../../generated/client.ts'
import { isProvable } from './evidence.ts'
import { BY_HAND, invoiceCardOf, isPayable } from './pay-by-hand.ts'

/**
 * One recipient's part of a tip, which its giver can pay from any wallet. The invoice is the one that the connected
 * wallet, if any, was asked to pay.
 */
export interface PaymentByHand {
  /** The card that shows the invoice to the giver alone. */
  readonly card: string
  readonly from: string
  readonly to: string
  readonly amount: Msats
  /** The BOLT11 invoice. */
  readonly invoice: string
  /**
   * The state of the payment. `over`: the invoice has expired, and the tip shows whether it was paid. `unseen`: the
   * recipient's side no longer reports payments, so the tip does not show whether the invoice was paid.
   */
  readonly state: 'open' | 'paid' | 'over' | 'unseen'
  /** The state of the giver's connected wallet: there is none, it refused, or it is silent and may still pay. */
  readonly wallet: 'none' | 'refused' | 'silent'
  readonly until: Date
  /** The tip's card, if that answers the giver's own command; undefined otherwise. */
  readonly tipCard: string | undefined
}

/** Returns the payment that a giver was offered to make by hand. Throws TippingRefusal `not-there`. */
export async function viewByHand({ database, clock }: ReadonlyBook, id: string): Promise<PaymentByHand> {
  const { read } = database
  const [payment, card] = await Promise.all([
    read.walletPayment.findUnique({ where: { id }, include: { tip: true } }),
    invoiceCardOf(read, id),
  ])
  if (payment === null || card === null || payment.invoice === null || payment.expiresAt === null)
    throw new TippingRefusal('not-there', {})
  const { sender: from, recipient: to, amount, invoice, state, failure, expiresAt: until, tip } = payment
  const isAlone = payment.connection === BY_HAND
  // If only this code can pay the tip, nobody sees the tip before it is paid.
  const about = isAlone && state !== 'paid' ? null : await read.card.findUnique({ where: { id: tip.card } })
  return {
    ...{ card: card.id, from, to, amount: msats(amount), invoice, until },
    state: stateOf(payment, { isTold: await isProvable(read, payment), at: clock.now() }),
    wallet: isAlone ? 'none' : failure !== null ? 'refused' : 'silent',
    // The card of a message answers another giver's command.
    tipCard: about?.kind === 'tip' ? about.id : undefined,
  }
}

/**
 * Returns the state of a payment by hand. `isTold`: whether the recipient's side can still be asked. If the giver has a
 * connected wallet, the tip reports the outcome.
 */
function stateOf(
  payment: WalletPayment,
  { isTold, at }: { readonly isTold: boolean; readonly at: number },
): PaymentByHand['state'] {
  const { state, connection } = payment
  if (state === 'paid') return 'paid'
  if (isPayable(payment, at)) return isTold ? 'open' : 'unseen'
  const isUnseen = state === 'unconfirmed' || (state === 'unknown' && !isTold)
  return connection === BY_HAND && isUnseen ? 'unseen' : 'over'
}
