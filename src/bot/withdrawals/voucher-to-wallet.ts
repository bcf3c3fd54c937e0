import type { APIButtonComponentWithCustomId } from 'discord.js'
import { lightningUri } from '../../lib/lightning/lnurl.ts'
import { qrPng } from '../../lib/lightning/qr.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Button, Press } from '../interactions/command.ts'
import { button } from '../messages/message.ts'
import { colour, panel, small } from '../messages/panel.ts'
import { payButtons } from '../pay-pages/links.ts'

/** Shows a voucher, to a person who may know its code, as a code that any Lightning wallet can scan. */
export const voucherWallet = {
  verb: 'voucher-wallet',
  names: 'own',
  answer: 'private',
  async press({ record: voucher, member, tipping, t, links }: Press) {
    const { card, amount, arrives, request } = await tipping.vouchers.toAnyWallet({ member, voucher })
    const picture = {
      name: 'voucher.png',
      png: await qrPng(lightningUri(request), { minimumPixels: 512 }),
      alt: t('withdrawal.alt', { amount: arrives }),
    }
    const lines = [
      t('voucher.toWallet', { arrives }),
      arrives < amount ? small(t('voucher.toWalletFee', { amount })) : '',
    ]
    const buttons = [
      ...payButtons(links, card, t),
      button(voucherWalletCode.verb, voucher, t('withdrawal.copyButton'), { emoji: '📋' }),
    ]
    const title = t('voucher.title', { amount })
    return {
      say: { embeds: [panel(colour.satchel, lines, { title, picture: picture.name })], buttons, pictures: [picture] },
    }
  },
} satisfies Button

/** Sends a message with only the code for Lightning wallets, so that a phone can copy it. */
export const voucherWalletCode = {
  verb: 'voucher-lnurl',
  names: 'own',
  answer: 'private',
  async press({ record: voucher, member, tipping }: Press) {
    return { say: { content: (await tipping.vouchers.toAnyWallet({ member, voucher })).request } }
  },
} satisfies Button

/**
 * Builds the button that shows a voucher as a code for Lightning wallets; none if the provider offers no such codes.
 */
export function walletButtons(voucher: string, offered: boolean, t: Translator): APIButtonComponentWithCustomId[] {
  return offered ? [button(voucherWallet.verb, voucher, t('voucher.walletButton'), { emoji: '📱' })] : []
}
