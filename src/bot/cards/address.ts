import { colour, panel } from '../look.ts'
import { quotable } from '../refusal-words.ts'
import { face } from './face.ts'

/** LUD-12: what a payer may write. */
const MAX_COMMENT_LENGTH = 255

/** "It has arrived", with what the payer wrote: said once, privately. */
export const addressPaidFace = face({
  load: (tipping, record) => tipping.addresses.arrival(record),
  draw: ({ amount, address, comment }, words) => ({
    message: {
      embeds: [
        panel(colour.done, [
          words.say('address.arrived', { amount, address }),
          comment === '' ? '' : `> ${quotable(comment, MAX_COMMENT_LENGTH)}`,
        ]),
      ],
    },
  }),
})
