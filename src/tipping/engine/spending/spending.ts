import type { AccountName, Entry } from '../../../ledger/ledger.ts'
import type { Msats } from '../../../lib/money/amount.ts'
import { held, heldOfPool, member, pool } from '../../core/chart-of-accounts.ts'
import type { Tx } from '../../core/database.ts'
import type { Origin } from '../cards/cards.ts'
import type { FromPool, Gift } from '../gifts/gifts.ts'

export type { AwaitedReward, FromPool } from '../gifts/gifts.ts'

/** The maximum length of a reward's reason, in characters. */
export const MAX_REWARD_REASON = 200

/** The kinds of payment from a server's pool. `reward`: a reward for one person. */
export type SpendingKind = 'reward' | 'tip' | 'rain' | 'drop' | 'giveaway' | 'voucher' | 'vouchers' | 'list'

/** A recipient whom a moderator chose, and their amount. */
export interface ChosenShare {
  readonly recipient: string
  readonly amount: Msats
  /** The line of the file and the reason, for a share from a list. */
  readonly line?: number
  readonly reason?: string
}

/** Sats that are about to leave a pool or a server's wallet. */
export interface PoolSpending {
  readonly kind: SpendingKind
  readonly member: string
  readonly pool: FromPool
  /** The total of all payments, in msats. */
  readonly amount: Msats
  /** The shares of the chosen recipients; empty if the sats go to those who come first. */
  readonly shares: readonly ChosenShare[]
  /**
   * The gift to make after an approval, with exact amounts, in its stored form. Undefined for a reward for one person,
   * which needs no more than its own record.
   */
  readonly gift: Gift | undefined
  readonly origin: Origin
  /** Whether only the moderator sees the answer, so that the question to other moderators is a separate message. */
  readonly isPrivate?: true
  /** The command's digest. */
  readonly digest: string
  /** The program or rule that spends for the member. */
  readonly cause?: SpendingCause | undefined
}

/** The cause of a payment: a rule that pays for an event, or a program with an API key. */
export interface SpendingCause {
  readonly kind: 'rule' | 'apiKey'
  readonly id: string
  /** The event for which the rule pays; for a program, the Idempotency-Key. */
  readonly event: string
  /**
   * Runs in the transaction that takes the sats. Throws TippingRefusal if the rule or the key does not permit the
   * payment.
   */
  readonly take: (tx: Tx) => Promise<void>
}

/** The source of a gift's sats, and the further writes of the change that takes them. */
export interface Funding {
  readonly account: AccountName
  /** The account in which the sats wait until the gift is final. */
  readonly held: AccountName
  /** The pool to which unclaimed sats return, stored with the gift; null if they return to the giver. */
  readonly pool: string | null
  /** The card that already shows the reward, because an approval was requested. */
  readonly card?: string
  /** The entries that are written before the gift's own. */
  readonly entries: readonly Entry[]
  /** Makes further writes in the change that takes the sats. If it throws TippingRefusal, nothing is taken. */
  write(tx: Tx, gift: FundedGift): Promise<void>
}

/** The funding of a gift that a connected wallet pays, so that nothing is taken from an account. */
export interface WalletFunding {
  readonly wallet: true
  /** The server that owns the wallet; null if the giver owns it. */
  readonly pool: string | null
  /** The card that already shows the reward, because an approval was requested. */
  readonly card?: string
  /** Makes further writes in the change that stores the payments. If it throws TippingRefusal, nothing is paid. */
  write(tx: Tx, gift: FundedGift): Promise<void>
}

/** The funding of a reward that a second moderator has approved. */
export type ApprovedFunding = Funding | WalletFunding

/**
 * Returns a funding that takes sats from an account. Throws an error for a wallet's funding, because only a pool can
 * make the payment.
 */
export function mustBeOfPool(funding: ApprovedFunding): Funding {
  if ('wallet' in funding) throw new Error('a connected wallet cannot pay for this reward, only a pool')
  return funding
}

export interface FundedGift {
  /** The id of the reward. */
  readonly id: string
  readonly card: string
}

/** Returns the funding of a gift from a member's own wallet. `write` deducts the gift from the member's allowance. */
export function fromOwnWallet(write: WalletFunding['write']): WalletFunding {
  return { wallet: true, pool: null, write }
}

/** Returns the funding of a gift from a member's balance. `write` deducts the gift from the member's allowance. */
export function fromBalance(giver: string, write: Funding['write']): Funding {
  return { account: member(giver), held: held(giver), pool: null, entries: [], write }
}

/** Returns the funding of a gift from a server's pool. */
export function fromPool(guild: string, entries: readonly Entry[], write: Funding['write']): Funding {
  return { account: pool(guild), held: heldOfPool(guild), pool: guild, entries, write }
}
