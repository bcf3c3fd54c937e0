import { readAmount } from '../core/read-amount.ts'
import type { GiftKind } from '../engine/gifts/confirmation.ts'
import type { FundraiserGift, PoolCommand } from './pools.ts'

/** A gift to a pool, or to one of its fundraisers. */
interface PoolGift {
  readonly kind: 'pool'
  readonly command: PoolCommand | (PoolCommand & FundraiserGift)
}

/** Gifts to pools, as a kind of gift that is confirmed if it is large. */
export const POOL_GIFTS: GiftKind<PoolGift> = {
  kinds: ['pool'],
  giverOf: ({ command }) => command.member,
  typed: ({ command }) => command.amount,
  shared({ settings: { minAmount: smallest, maxAmount: largest }, rates }, { command }, balance) {
    return [1, readAmount(command.amount, { smallest, largest, rates }, balance)]
  },
  exact: (gift, share) => ({ ...gift, command: { ...gift.command, amount: `${share} msats` } }),
}
