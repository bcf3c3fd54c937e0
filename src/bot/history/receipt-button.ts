import type { APIButtonComponentWithCustomId } from 'discord.js'
import type { PayoutShown } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import { button } from '../messages/message.ts'

export const RECEIPT_VERB = 'receipt'

/** Builds the button that shows the receipt of the reader's own payment. */
export function receiptOf(operation: string, t: Translator): APIButtonComponentWithCustomId {
  return button(RECEIPT_VERB, operation, t('paymentReceipt.button'), { emoji: '🧾' })
}

/** Builds the receipt button for sats that were forwarded to the reader's own wallet, if any were. */
export function receiptOfPayout(
  { payout }: Pick<PayoutShown, 'payout'>,
  t: Translator,
): APIButtonComponentWithCustomId[] {
  return payout === undefined ? [] : [receiptOf(payout, t)]
}
