import { boundsOf } from '../core/gift-limits.ts'
import type { GiftKind } from '../engine/gifts/confirmation.ts'
import type { TipCommand } from '../engine/gifts/gifts.ts'
import { chooseRecipients } from '../engine/gifts/recipients.ts'
import { splitAmount } from '../engine/gifts/split-amount.ts'
import { walletRoute } from '../engine/gifts/wallet-route.ts'

/** A tip, rain on chosen people, or a tip for a message. */
export type TipGift =
  | { readonly kind: 'tip' | 'rain'; readonly command: TipCommand }
  | { readonly kind: 'tally'; readonly command: TipCommand; readonly message: string }

/** The kinds of gifts that are given as tips. */
export const TIP_GIFTS: GiftKind<TipGift> = {
  kinds: ['tip', 'rain', 'tally'],
  giverOf: ({ command }) => command.from,
  typed: ({ command }) => command.amount,
  async shared(context, { command }, balance) {
    const bounds = boundsOf(context, await context.limits.limitsFor(command.origin.guild))
    const recipients = chooseRecipients(command, context.settings).length
    return [recipients, splitAmount(command, recipients, bounds, balance)]
  },
  people: ({ command }, settings) => chooseRecipients(command, settings),
  async source(context, { kind, command }) {
    return (await walletRoute(context, { kind, command })) === undefined ? 'balance' : 'wallet'
  },
  exact: (gift, share, source) => ({
    ...gift,
    command: { ...gift.command, amount: `${share} msats`, split: false, source },
  }),
}
