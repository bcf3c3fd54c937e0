import type { Button, Press } from '../interactions/command.ts'
import { CommandRefusal } from '../refusals/command-refusal.ts'
import { shown } from '../withdrawals/buttons.ts'
import { drawAsked } from '../withdrawals/card.ts'
import { PAY_VERB } from './card.ts'

/** Pays somebody's request from the balance of the person who presses it; a large sum asks for a confirmation. */
export const payInvoice = {
  verb: PAY_VERB,
  names: 'card',
  answer: 'private',
  async press(press: Press) {
    const { member, origin, tipping, t } = press
    const card = await tipping.cards.get(press.record)
    if (card?.kind !== 'invoice') throw new CommandRefusal('commandRefusals.stale-button')
    const { id: invoice, state } = await tipping.invoices.view(card.record)
    if (state !== 'open') throw new CommandRefusal('commandRefusals.invoice-over')
    const view = await tipping.withdrawals.pay({ invoice, member, origin })
    return view.state === 'asked' ? { say: drawAsked(view, tipping, t) } : await shown(press, view)
  },
} satisfies Button
