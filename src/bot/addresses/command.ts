import { qrPng } from '../../lib/lightning/qr.ts'
import type { AddressView } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Call, Command, Options } from '../interactions/command.ts'
import type { Message } from '../messages/message.ts'
import { colour, panel, small } from '../messages/panel.ts'
import { ideasFor, ownOfferButton } from './offer-button.ts'

const options = { name: { kind: 'text', longest: 100 } } as const satisfies Options

export const address = {
  name: 'address',
  answer: 'private',
  where: 'anywhere',
  options,
  async run({ member, userName, origin, options: { name }, tipping, t }: Call<typeof options>) {
    const view = await tipping.addresses.take({ member, name, ideas: ideasFor(userName, member), origin })
    return { say: await drawAddress(view, tipping.offers.receives, t) }
  },
} satisfies Command<typeof options>

async function drawAddress(view: AddressView, hasOffer: boolean, t: Translator): Promise<Message> {
  const { address, request, least, most, others } = view
  const picture = {
    name: 'address.png',
    png: await qrPng(request, { minimumPixels: 512 }),
    alt: t('address.alt', { address }),
  }
  const lines = [
    t('address.how', { least, most }),
    others.length > 0 ? t('address.others', { addresses: t.list(others) }) : '',
    small(t('address.keeps')),
  ]
  const title = t('address.title')
  return {
    // The text contains only the address, so that a phone copies nothing else.
    content: address,
    embeds: [panel(colour.satchel, lines, { title, picture: picture.name })],
    pictures: [picture],
    buttons: hasOffer ? [ownOfferButton(t)] : [],
  }
}
