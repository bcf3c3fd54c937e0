import type { GiftKind } from '../engine/gifts/confirmation.ts'
import type { DropCommand } from './drops.ts'
import { shareOfDrop, tooLittleForDrop } from './share-of-drop.ts'
import { walletOfDrop } from './wallet-shares.ts'

/** Drops as a kind of gift, so that givers can be asked to confirm large drops. */
export const DROP_GIFTS: GiftKind<{ readonly kind: 'drop'; readonly command: DropCommand }> = {
  kinds: ['drop'],
  giverOf: ({ command }) => command.member,
  typed: ({ command }) => command.amount,
  shared: (context, { command }, balance) => [command.shares, shareOfDrop(context, command, balance)],
  source: async (context, { command }) => ((await walletOfDrop(context, command)) === undefined ? 'balance' : 'wallet'),
  exact(gift, share, source) {
    const whole = share * BigInt(gift.command.shares)
    return { ...gift, command: { ...gift.command, amount: `${whole} msats`, source } }
  },
  tooLittle: ({ command }, share, balance) => tooLittleForDrop(command, share, balance),
}
