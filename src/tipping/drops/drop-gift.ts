import type { GiftKind } from '../engine/gifts/confirmation.ts'
import type { DropCommand } from './drops.ts'
import { shareOfDrop, tooLittleForDrop } from './share-of-drop.ts'

/** Drops whose giver must confirm them. */
export const DROP_GIFTS: GiftKind<{ readonly kind: 'drop'; readonly command: DropCommand }> = {
  kinds: ['drop'],
  giverOf: ({ command }) => command.member,
  typed: ({ command }) => command.amount,
  shared: (context, { command }, balance) => [command.shares, shareOfDrop(context, command, balance)],
  exact(gift, share) {
    const whole = share * BigInt(gift.command.shares)
    return { ...gift, command: { ...gift.command, amount: `${whole} msats` } }
  },
  tooLittle: ({ command }, share, balance) => tooLittleForDrop(command, share, balance),
}
