import { lightningUri } from '../../lib/lightning/lnurl.ts'
import { qrPng } from '../../lib/lightning/qr.ts'
import type { DepositView, Tipping } from '../../tipping/tipping.ts'
import { ownOfferButton } from '../addresses/offer-button.ts'
import { type Drawing, renderCard } from '../cards/card-renderer.ts'
import type { Message } from '../discord/message.ts'
import { colour, mention, panel, relative } from '../discord/panel.ts'
import { quotable } from '../discord/quotable.ts'
import type { Translator } from '../i18n/translator.ts'
import { invoiceCodeButton } from '../invoices/code-button.ts'
import { type Links, payButtons } from '../pay-pages/links.ts'
import { depositCodeButton } from './code-button.ts'

/** A code to pay. That it was paid is told by a card of its own, so a late change of this one is not told twice. */
export const depositRenderer = renderCard({
  load: loadDeposit,
  draw: drawDeposit,
  late: () => 'silence',
})

/** "It has arrived": said once, privately. */
export const depositPaidRenderer = renderCard({
  load: (tipping, record) => tipping.deposits.view(record),
  draw: ({ amount }, t) => ({
    message: { embeds: [panel(colour.done, t('deposit.arrived', { amount }))] },
  }),
  about: ({ card }) => card,
})

interface Shown extends DepositView {
  /** Whether its member can also be paid by an offer. */
  readonly hasOffer: boolean
}

async function loadDeposit(tipping: Tipping, record: string): Promise<Shown> {
  return { ...(await tipping.deposits.view(record)), hasOffer: tipping.addresses.offered && tipping.offers.receives }
}

async function drawDeposit(deposit: Shown, t: Translator, links: Links): Promise<Drawing> {
  if (deposit.asking !== undefined) return { message: await drawAskedDeposit(deposit, deposit.asking.note, t, links) }
  const { amount, request, invoice, state, paidAt, card } = deposit
  const title = t('deposit.title', { amount })
  if (state === 'paid') {
    const text = t('deposit.paid', { when: relative(paidAt ?? new Date(0)) })
    return { message: { embeds: [panel(colour.done, text, { title })] } }
  }
  if (state === 'closed') {
    return { message: { embeds: [panel(colour.over, t('deposit.closed'), { title })] } }
  }
  // Every wallet reads an invoice; the LNURL code is for when there is none, or it has expired.
  const code = invoice ?? request
  const picture = {
    name: 'deposit.png',
    png: await qrPng(lightningUri(code), { minimumPixels: 512 }),
    alt: t('deposit.alt', { amount }),
  }
  return {
    message: {
      embeds: [panel(colour.satchel, t('deposit.open'), { title, picture: picture.name })],
      pictures: [picture],
      buttons: [
        ...payButtons(links, card, t),
        ...(invoice === undefined ? [] : [depositCodeButton(card, t('deposit.lnurlButton'))]),
        ...(deposit.hasOffer ? [ownOfferButton(t)] : []),
      ],
    },
    // Alone in its message, so that a long press on a phone copies the code and nothing else.
    after: [{ content: code }],
  }
}

const MAX_NOTE_LENGTH = 500

/** A request for money in a channel, from somebody who has no Lightning account linked. */
async function drawAskedDeposit(deposit: DepositView, note: string, t: Translator, links: Links): Promise<Message> {
  const { amount, member, request, invoice, state, paidAt, card } = deposit
  const content = t('invoice.headline', { who: mention(member), amount })
  const about = note === '' ? '' : `> ${quotable(note, MAX_NOTE_LENGTH)}\n`
  if (state !== 'open') {
    const text = state === 'paid' ? t('invoice.paid', { when: relative(paidAt ?? new Date(0)) }) : t('invoice.expired')
    return { content, embeds: [panel(state === 'paid' ? colour.done : colour.over, [about, text])] }
  }
  const picture = {
    name: 'invoice.png',
    png: await qrPng(lightningUri(invoice ?? request), { minimumPixels: 512 }),
    alt: t('deposit.alt', { amount }),
  }
  const text = [about, t('deposit.asked', { who: mention(member) })]
  return {
    content,
    embeds: [panel(colour.satchel, text, { picture: picture.name })],
    buttons: [...payButtons(links, card, t), invoiceCodeButton(card, t('invoice.copyButton'))],
    pictures: [picture],
  }
}
