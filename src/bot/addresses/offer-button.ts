import type { APIButtonComponentWithCustomId } from 'discord.js'
import { TippingRefusal } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Button, Press } from '../interactions/command.ts'
import { button } from '../messages/message.ts'
import { colour, panel } from '../messages/panel.ts'

/** Shows the BOLT12 offer of the person who presses it: a code for any amount, for wallets that support offers. */
export const ownOffer = {
  verb: 'own-offer',
  names: 'nothing',
  answer: 'private',
  async press({ member, userName, origin, tipping, t }: Press) {
    const offer = await tipping.addresses.offer({ member, ideas: ideasFor(userName, member), origin })
    if (offer === undefined) throw new TippingRefusal('provider-unreachable', {})
    // The text contains only the offer, so that a phone copies nothing else.
    return { say: { content: offer, embeds: [panel(colour.satchel, t('address.offer'))] } }
  },
} satisfies Button

export function ownOfferButton(t: Translator): APIButtonComponentWithCustomId {
  return button(ownOffer.verb, 'mine', t('address.offerButton'), { emoji: '📋' })
}

/**
 * Returns possible names for a member's address, best first: the member's user name, then longer variants in case that
 * name is taken.
 */
export function ideasFor(userName: string, member: string): string[] {
  const name = userName.toLowerCase().replaceAll(/[^a-z0-9._-]/g, '')
  return [name, `${name}.tips`, `${name}.${member.slice(-4)}`, `member.${member}`]
}
