import type { APIButtonComponentWithCustomId } from 'discord.js'
import type { Tipping } from '../../tipping/tipping.ts'
import type { Button, Press } from '../interactions/command.ts'
import { button } from '../messages/message.ts'
import { CommandRefusal } from '../refusals/command-refusal.ts'
import { shown } from '../withdrawals/buttons.ts'
import { drawAsked } from '../withdrawals/card.ts'

/** Sends an invoice's code alone in a private message, so that a phone can copy it and the channel is not filled. */
export const invoiceCode = {
  verb: 'invoice-code',
  names: 'card',
  answer: 'private',
  async press({ record, member, tipping }: Press) {
    const card = await tipping.cards.get(record)
    if (card?.kind === 'deposit') return { say: { content: await codeOfDeposit(tipping, card.record, member) } }
    if (card?.kind !== 'invoice') throw new CommandRefusal('commandRefusals.stale-button')
    const { state, request } = await tipping.invoices.view(card.record)
    if (state !== 'open') throw new CommandRefusal('commandRefusals.invoice-over')
    return { say: { content: request } }
  },
} satisfies Button

/**
 * Returns the code of a deposit that was requested in a channel, or of the reader's own deposit. Throws CommandRefusal
 * for anybody else's deposit.
 */
async function codeOfDeposit(tipping: Tipping, id: string, reader: string): Promise<string> {
  const { asking, member, state, invoice, request } = await tipping.deposits.toPay(id)
  if (asking === undefined && member !== reader) throw new CommandRefusal('commandRefusals.stale-button')
  if (state !== 'open') throw new CommandRefusal('commandRefusals.invoice-over')
  return invoice ?? request
}

/**
 * Builds the button that sends an invoice's code. `card` is the invoice's card, because a missing card can be
 * distinguished from a fault.
 */
export function invoiceCodeButton(card: string, label: string): APIButtonComponentWithCustomId {
  return button(invoiceCode.verb, card, label, { emoji: '📋' })
}

/** Pays somebody's request from the balance of the person who presses it. A large sum needs a confirmation. */
export const payInvoice = {
  verb: 'pay',
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
