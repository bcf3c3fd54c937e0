import { type APIButtonComponentWithCustomId, ButtonStyle } from 'discord.js'
import type { FundraiserView } from '../../tipping/tipping.ts'
import { poolGiftOutcome } from '../confirmations/question.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Button, Press } from '../interactions/command.ts'
import { mustModerate } from '../interactions/in-server.ts'
import { button } from '../messages/message.ts'
import { CommandRefusal } from '../refusals/command-refusal.ts'

/** Gives a fundraiser's suggested amount from the balance of the person who presses it. */
export const fundraiserGive = {
  verb: 'fundraiser-give',
  names: 'fundraiser',
  answer: 'private',
  async press({ record: fundraiser, member, origin, tipping, t }: Press) {
    return poolGiftOutcome(await tipping.pools.askTo({ fundraiser, member, origin }), t)
  },
} satisfies Button

/** Sends a message with only the fundraiser's code, so that a phone can copy the code. */
export const fundraiserCode = {
  verb: 'fundraiser-code',
  names: 'fundraiser',
  answer: 'private',
  async press({ record, tipping }: Press) {
    const { state, request } = await tipping.pools.fundraiser(record)
    if (state !== 'open') throw new CommandRefusal('commandRefusals.fundraiser-over')
    return { say: { content: request } }
  },
} satisfies Button

/** Ends a fundraiser before its goal is reached. Only moderators may end it. */
export const fundraiserClose = {
  verb: 'fundraiser-close',
  names: 'fundraiser',
  answer: 'update',
  async press({ record: fundraiser, member, caller, tipping }: Press) {
    await mustModerate({ caller })
    const { card } = await tipping.pools.closeFundraiser({ fundraiser, member })
    return { card }
  },
} satisfies Button

export function fundraiserButtons({ id, amount }: FundraiserView, t: Translator): APIButtonComponentWithCustomId[] {
  const give = t('fundraiser.giveButton', { amount })
  return [
    button(fundraiserGive.verb, id, give, { emoji: '⚡', style: ButtonStyle.Primary }),
    button(fundraiserCode.verb, id, t('fundraiser.codeButton'), { emoji: '📋' }),
    button(fundraiserClose.verb, id, t('fundraiser.closeButton')),
  ]
}
