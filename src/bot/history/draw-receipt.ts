import { codeBlock, inlineCode } from 'discord.js'
import type { PaymentReceipt } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import { frame, heading, LINE } from '../messages/frame.ts'
import type { Message } from '../messages/message.ts'
import { colour, moment, small } from '../messages/panel.ts'
import { nameOfBooking, signed, stateOf, struckIfUnpaid } from './draw-history.ts'
import { saidLines } from './said-lines.ts'

/** The maximum length of a displayed request. Longer requests would leave no room for the rest of the receipt. */
const MAX_REQUEST_LENGTH = 1_000

/** Draws an operation with all its identifiers. Every code can be copied whole. */
export function drawReceipt(receipt: PaymentReceipt, t: Translator): Message {
  const { operation, at, amount, fee, remoteId, request, paymentHash, preimage } = receipt
  const lines = [
    amount === 0n ? '' : `## ${struckIfUnpaid(receipt, signed(receipt, t))}`,
    nameOfBooking(receipt, t),
    stateOf(receipt, t) ?? '',
    moment(at),
    fee === undefined ? '' : t('paymentReceipt.fee', { fee }),
    ...saidLines(receipt.said, t),
    preimage === 'missing' ? small(t('paymentReceipt.proofMissing')) : '',
  ]
  const codes: [name: string, code: string | undefined][] = [
    [t('paymentReceipt.preimage'), preimage === 'missing' ? undefined : preimage],
    [t('paymentReceipt.paymentHash'), paymentHash],
    [t('paymentReceipt.remoteId'), remoteId],
    [t('paymentReceipt.operation'), operation],
  ]
  const parts = codes.flatMap(([name, code]) => (code === undefined ? [] : [`**${name}**\n${inlineCode(code)}`]))
  if (request !== undefined && request.length <= MAX_REQUEST_LENGTH) {
    parts.push(`**${t('paymentReceipt.request')}**\n${codeBlock(request)}`)
  }
  const text = lines.filter((line) => line !== '').join('\n')
  return {
    frame: frame(colour.satchel, heading(t('paymentReceipt.title')), text, parts.length === 0 ? [] : LINE, parts),
  }
}
