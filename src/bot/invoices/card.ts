import { ButtonStyle, codeBlock } from 'discord.js'
import { lightningUri } from '../../lib/lightning/lnurl.ts'
import { qrPng } from '../../lib/lightning/qr.ts'
import type { InvoiceView } from '../../tipping/tipping.ts'
import { type Drawing, renderCard } from '../cards/card-renderer.ts'
import type { Translator } from '../i18n/translator.ts'
import { frame } from '../messages/frame.ts'
import { button } from '../messages/message.ts'
import { colour, mention, relative } from '../messages/panel.ts'
import { quotable } from '../messages/quotable.ts'
import { type Links, payButtons } from '../pay-pages/links.ts'
import { invoiceCodeButton, payInvoice } from './buttons.ts'

/** Shows a request for money, with a code for any wallet while it can be paid. */
export const invoiceRenderer = renderCard({
  load: (tipping, record) => tipping.invoices.view(record),
  draw: drawInvoice,
})

/** Reports in the channel, once, that a request was paid, and notifies the person who made the request. */
export const invoicePaidRenderer = renderCard({
  load: (tipping, record) => tipping.invoices.view(record),
  draw: ({ member, amount, gamertag, state }, t) => ({
    message: {
      content: t(state === 'reported' ? 'invoice.announcedReported' : 'invoice.announced', {
        who: mention(member),
        amount,
        gamertag: quotable(gamertag),
      }),
      notifies: [member],
    },
  }),
  about: ({ card }) => card,
})
const MAX_DESCRIPTION_LENGTH = 500

async function drawInvoice(invoice: InvoiceView, t: Translator, links: Links): Promise<Drawing> {
  const { card, member, amount, description, request, state } = invoice
  const content = t('invoice.headline', { who: mention(member), amount })
  const about = description === '' ? '' : `> ${quotable(description, MAX_DESCRIPTION_LENGTH)}`
  if (state !== 'open') {
    const edge = state === 'expired' ? colour.over : colour.done
    return { message: { content, frame: frame(edge, about, ending(invoice, t)) } }
  }
  const picture = {
    name: 'invoice.png',
    png: await qrPng(lightningUri(request), { minimumPixels: 512 }),
    alt: t('invoice.alt', { amount }),
  }
  const text = t('invoice.open', { until: relative(invoice.expiresAt) })
  return {
    message: {
      content,
      frame: frame(colour.satchel, about, text, { picture: picture.name }, codeBlock(request)),
      buttons: [
        button(payInvoice.verb, card, t('invoice.payButton'), { emoji: '⚡', style: ButtonStyle.Primary }),
        ...payButtons(links, card, t),
        invoiceCodeButton(card, t('invoice.copyButton')),
      ],
      pictures: [picture],
    },
  }
}

function ending({ state, paidAt }: InvoiceView, t: Translator): string {
  if (state === 'expired') return t('invoice.expired')
  if (state === 'reported' || paidAt === undefined) return t('invoice.reported')
  return t('invoice.paid', { when: relative(paidAt) })
}
