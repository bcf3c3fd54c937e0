import type { AccountName, Entry } from '../../../ledger/ledger.ts'
import type { Msats } from '../../../lib/money/amount.ts'
import { held, heldOfPool, member, pool } from '../../core/chart-of-accounts.ts'
import type { Tx } from '../../core/database.ts'
import type { Origin } from '../cards/cards.ts'
import type { FromPool, Gift } from '../gifts/gifts.ts'

export type { AwaitedReward, FromPool } from '../gifts/gifts.ts'

/** The longest reason of a reward, in characters. */
export const MAX_REWARD_REASON = 200

/** The kinds of payment from a server's pool. `reward`: for one person. */
export type SpendingKind = 'reward' | 'tip' | 'rain' | 'drop' | 'giveaway' | 'voucher' | 'vouchers' | 'list'

/** A recipient whom a moderator chose, and their amount. */
export interface ChosenShare {
  readonly recipient: string
  readonly amount: Msats
  /** For a list: the line of its file, and the reason. */
  readonly line?: number
  readonly reason?: string
}

/** Sats that are about to leave a pool. */
export interface PoolSpending {
  readonly kind: SpendingKind
  readonly member: string
  readonly pool: FromPool
  /** The total of all payments from the pool, in msats. */
  readonly amount: Msats
  /** Empty if it goes to those who come first. */
  readonly shares: readonly ChosenShare[]
  /**
   * The gift after its approval, with exact amounts, in its stored form. Undefined for a reward, which needs no more
   * than its own record.
   */
  readonly gift: Gift | undefined
  readonly origin: Origin
  /** Whether only its moderator sees the answer, so that the question to others is a separate message. */
  readonly isPrivate?: true
  /** The command's digest. */
  readonly digest: string
  /** The program or rule that spends for the member. */
  readonly cause?: SpendingCause | undefined
}

/** A rule that pays for an event, or a program with an API key. */
export interface SpendingCause {
  readonly kind: 'rule' | 'apiKey'
  readonly id: string
  /** The paid event. For a program, the Idempotency-Key. */
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
  /** Where the sats wait until the gift is final. */
  readonly held: AccountName
  /** The pool that unclaimed sats return to, stored with the gift. Null: to the giver. */
  readonly pool: string | null
  /** The card that already shows the reward, because it was requested. */
  readonly card?: string
  /** Written before the gift's own entries. */
  readonly entries: readonly Entry[]
  /** Call it in the change that takes the sats. If it throws TippingRefusal, nothing is taken. */
  write(tx: Tx, gift: FundedGift): Promise<void>
}

/** A connected wallet pays, so nothing is taken from an account. */
export interface WalletFunding {
  readonly wallet: true
  /** The server that owns the wallet. Null: the giver. */
  readonly pool: string | null
  /** The card that already shows the reward, because it was requested. */
  readonly card?: string
  /** Call it in the change that stores the payments. If it throws TippingRefusal, nothing is paid. */
  write(tx: Tx, gift: FundedGift): Promise<void>
}

/** The funding of a reward that a second moderator has approved. */
export type ApprovedFunding = Funding | WalletFunding

/** Refuses a funding by a wallet for payments that only a pool can make. */
export function mustBeOfPool(funding: ApprovedFunding): Funding {
  if ('wallet' in funding) throw new Error('a connected wallet cannot pay for this reward, only a pool')
  return funding
}

export interface FundedGift {
  /** The reward's own id. */
  readonly id: string
  readonly card: string
}

/** Funds a gift from a member's own wallet. `write` deducts the gift from their allowance. */
export function fromOwnWallet(write: WalletFunding['write']): WalletFunding {
  return { wallet: true, pool: null, write }
}

/** Funds a gift from a member's balance. `write` deducts the gift from their allowance. */
export function fromBalance(giver: string, write: Funding['write']): Funding {
  return { account: member(giver), held: held(giver), pool: null, entries: [], write }
}

/** Funds a gift from a server's pool. */
export function fromPool(guild: string, entries: readonly Entry[], write: Funding['write']): Funding {
  return { account: pool(guild), held: heldOfPool(guild), pool: guild, entries, write }
}
