import { npubOf } from '../../lib/nostr/npub.ts'
import type { AddressArrival } from '../../tipping/tipping.ts'
import { renderCard } from '../cards/card-renderer.ts'
import type { Translator } from '../i18n/translator.ts'
import { colour, panel } from '../messages/panel.ts'
import { quotable } from '../messages/quotable.ts'

/** The maximum length of a payer's comment (LUD-12). */
const MAX_COMMENT_LENGTH = 255
const MAX_PAYER_LENGTH = 80

/** Notifies a member privately, and only once, that a payment has arrived, and quotes the payer's comment. */
export const addressPaidRenderer = renderCard({
  load: (tipping, record) => tipping.addresses.arrival(record),
  draw: ({ amount, address, comment, payer }, t) => ({
    message: {
      embeds: [
        panel(colour.done, [
          t('address.arrived', { amount, address }),
          fromWords(payer, t),
          comment === '' ? '' : `> ${quotable(comment, MAX_COMMENT_LENGTH)}`,
        ]),
      ],
    },
  }),
})

/**
 * Describes the payer: the author of a zap (NIP-57), otherwise the name that the payer sent (LUD-18), which nobody has
 * verified.
 */
function fromWords({ name, identifier, nostr }: AddressArrival['payer'], t: Translator): string {
  if (nostr !== undefined) return t('address.zap', { npub: npubOf(nostr) })
  const who = [name, identifier].flatMap((each) => (each === undefined ? [] : quotable(each, MAX_PAYER_LENGTH)))
  return who.length === 0 ? '' : t('address.from', { payer: who.join(' · ') })
}
