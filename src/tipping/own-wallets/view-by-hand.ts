import { msats } from '../../lib/money/amount.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { invoiceCardOf, isPayable } from '../engine/own-wallets/pay-by-hand.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { PaymentByHand } from './own-wallets.ts'

/** The invoice of a payment that its giver was offered to pay by hand. Throws TippingRefusal `not-there`. */
export async function viewByHand({ database, clock }: TippingContext, id: string): Promise<PaymentByHand> {
  const { read } = database
  const [payment, card] = await Promise.all([
    read.walletPayment.findUnique({ where: { id }, include: { tip: true } }),
    invoiceCardOf(read, id),
  ])
  if (payment === null || card === null || payment.invoice === null || payment.expiresAt === null)
    throw new TippingRefusal('not-there', {})
  const { sender: from, recipient: to, amount, invoice, state, failure, expiresAt: until, tip } = payment
  const about = await read.card.findUnique({ where: { id: tip.card } })
  return {
    ...{ card: card.id, from, to, amount: msats(amount), invoice, until },
    state: state === 'paid' ? 'paid' : isPayable(payment, clock.now()) ? 'open' : 'over',
    isRefused: failure !== null,
    // The card of a message answers another giver's command.
    tipCard: about?.kind === 'tip' ? about.id : undefined,
  }
}
