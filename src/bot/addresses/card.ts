import { renderCard } from '../cards/card-renderer.ts'
import { colour, panel } from '../discord/panel.ts'
import { quotable } from '../discord/refusal-text.ts'

/** LUD-12: what a payer may write. */
const MAX_COMMENT_LENGTH = 255

/** "It has arrived", with what the payer wrote: said once, privately. */
export const addressPaidRenderer = renderCard({
  load: (tipping, record) => tipping.addresses.arrival(record),
  draw: ({ amount, address, comment }, t) => ({
    message: {
      embeds: [
        panel(colour.done, [
          t('address.arrived', { amount, address }),
          comment === '' ? '' : `> ${quotable(comment, MAX_COMMENT_LENGTH)}`,
        ]),
      ],
    },
  }),
})
