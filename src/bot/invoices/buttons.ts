import type { APIButtonComponentWithCustomId } from 'discord.js'
import type { Tipping } from '../../tipping/tipping.ts'
import type { Button, Press } from '../interactions/command.ts'
import { button } from '../messages/message.ts'
import { CommandRefusal } from '../refusals/command-refusal.ts'
import { shown } from '../withdrawals/buttons.ts'
import { drawAsked } from '../withdrawals/card.ts'

/** An invoice's code as a message of nothing else, so that a phone can copy it, without filling the channel with it. */
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

/** Of a deposit that is asked for in a channel; another one's code is for its member alone. */
async function codeOfDeposit(tipping: Tipping, id: string, reader: string): Promise<string> {
  const { asking, member, state, invoice, request } = await tipping.deposits.toPay(id)
  if (asking === undefined && member !== reader) throw new CommandRefusal('commandRefusals.stale-button')
  if (state !== 'open') throw new CommandRefusal('commandRefusals.invoice-over')
  return invoice ?? request
}

/** `card`: the invoice's, because a card that is not there (any more) can be told from a fault. */
export function invoiceCodeButton(card: string, label: string): APIButtonComponentWithCustomId {
  return button(invoiceCode.verb, card, label, { emoji: '📋' })
}

/** Pays somebody's request from the balance of the person who presses it; a large sum asks for a confirmation. */
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
