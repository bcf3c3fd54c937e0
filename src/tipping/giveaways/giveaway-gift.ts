import { boundsOf } from '../core/gift-limits.ts'
import type { GiftKind } from '../engine/gifts/confirmation.ts'
import { splitAmount } from '../engine/gifts/split-amount.ts'
import type { StartGiveaway } from './giveaways.ts'

/** The kind of gift by which starters of large giveaways confirm them. */
export const GIVEAWAY_GIFTS: GiftKind<{ readonly kind: 'giveaway'; readonly command: StartGiveaway }> = {
  kinds: ['giveaway'],
  giverOf: ({ command }) => command.member,
  typed: ({ command }) => command.prize,
  async shared(context, { command: { prize: amount, winners, origin } }, balance) {
    const bounds = boundsOf(context, await context.limits.limitsFor(origin.guild))
    return [winners, splitAmount({ amount }, winners, bounds, balance)]
  },
  exact: (gift, share) => ({ ...gift, command: { ...gift.command, prize: `${share} msats` } }),
}
