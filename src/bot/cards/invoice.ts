import { ButtonStyle } from 'discord.js'
import { qrPng } from '../../lib/qr.ts'
import type { InvoiceView } from '../../tipping/tipping.ts'
import { invoiceCodeButton } from '../buttons/invoice-code.ts'
import { colour, mention, panel, relative } from '../look.ts'
import { button } from '../message.ts'
import { quotable } from '../refusal-words.ts'
import type { Words } from '../words.ts'
import { type Drawing, face } from './face.ts'

/** A request for money, with a code for any wallet as long as it can be paid. */
export const invoiceFace = face({ load: (tipping, record) => tipping.invoiceView(record), draw: drawInvoice })

/** "It has been paid": said once, in the channel, to the one who asked. */
export const invoicePaidFace = face({
  load: (tipping, record) => tipping.invoiceView(record),
  draw: ({ member, amount, gamertag, state }, words) => ({
    message: {
      content: words.say(state === 'reported' ? 'invoice.announcedReported' : 'invoice.announced', {
        who: mention(member),
        amount,
        gamertag: quotable(gamertag),
      }),
      notifies: [member],
    },
  }),
  about: ({ card }) => card,
})

/** The verb of the button that pays from a balance. */
export const PAY_VERB = 'pay'
const MAX_DESCRIPTION_LENGTH = 500

async function drawInvoice(invoice: InvoiceView, words: Words): Promise<Drawing> {
  const { card, member, amount, description, request, state } = invoice
  const content = words.say('invoice.headline', { who: mention(member), amount })
  const about = description === '' ? '' : `> ${quotable(description, MAX_DESCRIPTION_LENGTH)}\n`
  if (state !== 'open') {
    const edge = state === 'expired' ? colour.over : colour.done
    return { message: { content, embeds: [panel(edge, [about, ending(invoice, words)])] } }
  }
  const picture = {
    name: 'invoice.png',
    png: await qrPng(request, { minimumPixels: 512 }),
    alt: words.say('invoice.alt', { amount }),
  }
  const text = [about, words.say('invoice.open', { until: relative(invoice.expiresAt) })]
  return {
    message: {
      content,
      embeds: [panel(colour.satchel, text, { picture: picture.name })],
      buttons: [
        button(PAY_VERB, card, words.say('invoice.payButton'), { emoji: '⚡', style: ButtonStyle.Primary }),
        invoiceCodeButton(card, words.say('invoice.copyButton')),
      ],
      pictures: [picture],
    },
  }
}

function ending({ state, paidAt }: InvoiceView, words: Words): string {
  if (state === 'expired') return words.say('invoice.expired')
  if (state === 'reported' || paidAt === undefined) return words.say('invoice.reported')
  return words.say('invoice.paid', { when: relative(paidAt) })
}
