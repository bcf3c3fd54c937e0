import { type Msats, msats } from '../../../lib/money/amount.ts'
import type { ReadonlyBook } from '../../core/context.ts'
import { TippingRefusal } from '../../core/tipping-refusal.ts'
import type { WalletPayment } from '../../generated/client.ts'
import { isProvable } from './evidence.ts'
import { BY_HAND, invoiceCardOf, isPayable } from './pay-by-hand.ts'

/**
 * One recipient's part of a tip, as its giver can pay it from any wallet. It is the invoice that the connected wallet,
 * if any, was asked to pay.
 */
export interface PaymentByHand {
  /** The card that shows the invoice to the giver alone. */
  readonly card: string
  readonly from: string
  readonly to: string
  readonly amount: Msats
  /** BOLT11. */
  readonly invoice: string
  /**
   * `over`: the invoice has expired; the tip says whether it was paid before. `unseen`: the recipient's side does not
   * tell any more whether it is paid, so the tip says nothing.
   */
  readonly state: 'open' | 'paid' | 'over' | 'unseen'
  /** The giver's connected wallet: none, refused, or silent and may still pay. */
  readonly wallet: 'none' | 'refused' | 'silent'
  readonly until: Date
  /** The card of the tip, where it answers the giver's own command. */
  readonly tipCard: string | undefined
}

/** The invoice of a payment that its giver was offered to pay by hand. Throws TippingRefusal `not-there`. */
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
  // Nobody hears of a tip that only this code pays before that.
  const about = isAlone && state !== 'paid' ? null : await read.card.findUnique({ where: { id: tip.card } })
  return {
    ...{ card: card.id, from, to, amount: msats(amount), invoice, until },
    state: stateOf(payment, { isTold: await isProvable(read, payment), at: clock.now() }),
    wallet: isAlone ? 'none' : failure !== null ? 'refused' : 'silent',
    // The card of a message answers another giver's command.
    tipCard: about?.kind === 'tip' ? about.id : undefined,
  }
}

/** `isTold`: the recipient's side can still be asked. The tip tells the outcome of a connected giver's payment. */
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
