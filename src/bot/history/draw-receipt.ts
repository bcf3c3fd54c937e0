import { codeBlock, inlineCode } from 'discord.js'
import type { PaymentReceipt } from '../../tipping/tipping.ts'
import type { Message } from '../discord/message.ts'
import { colour, moment, panel, small } from '../discord/panel.ts'
import type { Translator } from '../i18n/translator.ts'
import { nameOfBooking, signed } from './draw-history.ts'
import { saidLines } from './said-lines.ts'

/** What an embed's field holds. */
const MAX_FIELD_LENGTH = 1_000

/** An operation with everything that others know it by; every code can be copied whole. */
export function drawReceipt(receipt: PaymentReceipt, t: Translator): Message {
  const { operation, at, amount, fee, remoteId, request, paymentHash, preimage } = receipt
  const lines = [
    amount === 0n ? '' : `## ${signed(amount, t)}`,
    nameOfBooking(receipt, t),
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
  const fields = codes.flatMap(([name, code]) => (code === undefined ? [] : [{ name, value: inlineCode(code) }]))
  if (request !== undefined && request.length <= MAX_FIELD_LENGTH) {
    fields.push({ name: t('paymentReceipt.request'), value: codeBlock(request) })
  }
  return { embeds: [panel(colour.satchel, lines, { title: t('paymentReceipt.title'), fields })] }
}
