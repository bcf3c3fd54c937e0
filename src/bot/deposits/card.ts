import { codeBlock } from 'discord.js'
import { lightningUri } from '../../lib/lightning/lnurl.ts'
import { qrPng } from '../../lib/lightning/qr.ts'
import type { DepositView, InvoicedTipView, Tipping } from '../../tipping/tipping.ts'
import { ownOfferButton } from '../addresses/offer-button.ts'
import { type Drawing, renderCard } from '../cards/card-renderer.ts'
import type { Translator } from '../i18n/translator.ts'
import { invoiceCodeButton } from '../invoices/buttons.ts'
import { frame, heading } from '../messages/frame.ts'
import type { Message } from '../messages/message.ts'
import { colour, mention, panel, relative } from '../messages/panel.ts'
import { quotable } from '../messages/quotable.ts'
import { type Links, payButtons } from '../pay-pages/links.ts'
import { depositCodeButton } from './code-button.ts'
import { endOfTip, howToPayTip } from './tip-by-invoice.ts'

/** Shows a code to pay. Another card reports the payment, so a late change of this card is not announced. */
export const depositRenderer = renderCard({
  load: loadDeposit,
  draw: drawDeposit,
  late: () => 'silence',
})

/** Reports privately, once, that a deposit has arrived. */
export const depositPaidRenderer = renderCard({
  load: async (tipping, record) => ({
    ...(await tipping.deposits.view(record)),
    tip: await tipping.invoicedTips.view(record),
  }),
  draw: ({ amount, tip }, t) => {
    const text = tip === undefined ? t('deposit.arrived', { amount }) : endOfTip(tip, t)
    return { message: { embeds: [panel(tip?.state === 'kept' ? colour.over : colour.done, text)] } }
  },
  about: ({ card }) => card,
})

interface Shown extends DepositView {
  /** Whether the member can also be paid through a BOLT12 offer. */
  readonly hasOffer: boolean
  /** The tip that is sent when the deposit is paid; undefined for an ordinary deposit. */
  readonly tip: InvoicedTipView | undefined
}

async function loadDeposit(tipping: Tipping, record: string): Promise<Shown> {
  const [deposit, tip] = await Promise.all([tipping.deposits.view(record), tipping.invoicedTips.view(record)])
  return { ...deposit, tip, hasOffer: tip === undefined && tipping.addresses.offered && tipping.offers.receives }
}

async function drawDeposit(deposit: Shown, t: Translator, links: Links): Promise<Drawing> {
  if (deposit.asking !== undefined) return { message: await drawAskedDeposit(deposit, deposit.asking.note, t, links) }
  const { amount, request, invoice, state, paidAt, card, tip } = deposit
  const title = heading(tip === undefined ? t('deposit.title', { amount }) : t('payPage.pay', { amount }))
  if (state === 'paid') {
    const text = tip === undefined ? t('deposit.paid', { when: relative(paidAt ?? new Date(0)) }) : endOfTip(tip, t)
    return { message: { frame: frame(tip?.state === 'kept' ? colour.over : colour.done, title, text) } }
  }
  if (state === 'closed') {
    return {
      message: { frame: frame(colour.over, title, t(tip === undefined ? 'deposit.closed' : 'invoicedTip.over')) },
    }
  }
  // Every wallet reads an invoice. The LNURL code serves if there is none, or it has expired.
  const code = invoice ?? request
  const picture = {
    name: 'deposit.png',
    png: await qrPng(lightningUri(code), { minimumPixels: 512 }),
    alt: t('deposit.alt', { amount }),
  }
  return {
    message: {
      frame: frame(
        colour.satchel,
        title,
        tip === undefined ? t('deposit.open') : howToPayTip(tip, t),
        { picture: picture.name },
        codeBlock(code),
      ),
      pictures: [picture],
      buttons: [
        ...payButtons(links, card, t),
        // In a separate message, so that a long press on a phone copies only the code.
        invoiceCodeButton(card, t('invoice.copyButton')),
        ...(invoice === undefined ? [] : [depositCodeButton(card, t('deposit.lnurlButton'))]),
        ...(deposit.hasOffer ? [ownOfferButton(t)] : []),
      ],
    },
  }
}

const MAX_NOTE_LENGTH = 500

/** Draws a request for money in a channel, from somebody without a linked Lightning account. */
async function drawAskedDeposit(deposit: DepositView, note: string, t: Translator, links: Links): Promise<Message> {
  const { amount, member, request, invoice, state, paidAt, card } = deposit
  const content = t('invoice.headline', { who: mention(member), amount })
  const about = note === '' ? '' : `> ${quotable(note, MAX_NOTE_LENGTH)}`
  if (state !== 'open') {
    const text = state === 'paid' ? t('invoice.paid', { when: relative(paidAt ?? new Date(0)) }) : t('invoice.expired')
    return { content, frame: frame(state === 'paid' ? colour.done : colour.over, about, text) }
  }
  const picture = {
    name: 'invoice.png',
    png: await qrPng(lightningUri(invoice ?? request), { minimumPixels: 512 }),
    alt: t('payPage.alt', { amount }),
  }
  const text = t('deposit.asked', { who: mention(member) })
  return {
    content,
    frame: frame(colour.satchel, about, text, { picture: picture.name }, codeBlock(invoice ?? request)),
    buttons: [...payButtons(links, card, t), invoiceCodeButton(card, t('invoice.copyButton'))],
    pictures: [picture],
  }
}
