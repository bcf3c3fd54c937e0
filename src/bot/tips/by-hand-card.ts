import { codeBlock } from 'discord.js'
import { lightningUri } from '../../lib/lightning/lnurl.ts'
import { qrPng } from '../../lib/lightning/qr.ts'
import type { PaymentByHand } from '../../tipping/tipping.ts'
import { type Drawing, renderCard } from '../cards/card-renderer.ts'
import type { Translator } from '../i18n/translator.ts'
import { frame, heading } from '../messages/frame.ts'
import { colour, mention, relative, small } from '../messages/panel.ts'
import { type Links, payButtons } from '../pay-pages/links.ts'
import { byHandCodeButton } from './buttons.ts'

/**
 * Privately shows the giver the invoice that their wallet does not pay, or has not paid yet. The tip's card also shows
 * whether it was paid.
 */
export const byHandRenderer = renderCard({
  load: (tipping, record) => tipping.ownWallets.byHand(record),
  draw: drawByHand,
  about: ({ tipCard }) => tipCard,
  late: () => 'silence',
})

const TEXTS = { none: 'payByHand.alone', refused: 'payByHand.refused', silent: 'payByHand.unsure' } as const

async function drawByHand(payment: PaymentByHand, t: Translator, links: Links): Promise<Drawing> {
  const { card, to, amount, invoice, state, wallet, until } = payment
  const title = heading(t('payPage.pay', { amount }))
  const about = { who: mention(to), amount }
  if (state === 'paid') return { message: { frame: frame(colour.done, title, t('payByHand.paid', about)) } }
  if (state === 'unseen') return { message: { frame: frame(colour.over, title, t('payByHand.unseen', about)) } }
  if (state === 'over') {
    const text = t(wallet === 'none' ? 'payByHand.overAlone' : 'payByHand.over')
    return { message: { frame: frame(colour.over, title, text) } }
  }
  const picture = {
    name: 'invoice.png',
    png: await qrPng(lightningUri(invoice), { minimumPixels: 512 }),
    alt: t('invoice.alt', { amount }),
  }
  const text = [t(TEXTS[wallet], about), small(t('payByHand.until', { until: relative(until) }))]
  return {
    message: {
      frame: frame(colour.satchel, title, text.join('\n'), { picture: picture.name }, codeBlock(invoice)),
      pictures: [picture],
      buttons: [...payButtons(links, card, t), byHandCodeButton(card, t('invoice.copyButton'))],
    },
  }
}
