import type { APIButtonComponentWithCustomId } from 'discord.js'
import type { Button, Press } from '../command.ts'
import { Declined } from '../declined.ts'
import { button } from '../message.ts'

/** An invoice's code as a message of nothing else, so that a phone can copy it, without filling the channel with it. */
export const invoiceCode = {
  verb: 'invoice-code',
  answer: 'private',
  async press({ record, tipping }: Press) {
    const { state, request } = await tipping.invoiceView(record)
    if (state !== 'open') throw new Declined('declined.invoice-over')
    return { say: { content: request } }
  },
} satisfies Button

export function invoiceCodeButton(invoice: string, label: string): APIButtonComponentWithCustomId {
  return button(invoiceCode.verb, invoice, label, { emoji: '📋' })
}
