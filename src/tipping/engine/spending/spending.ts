import type { AccountName, Entry } from '../../../ledger/ledger.ts'
import type { Msats } from '../../../lib/money/amount.ts'
import { held, heldOfPool, member, pool } from '../../core/chart-of-accounts.ts'
import type { Tx } from '../../core/database.ts'
import type { Origin } from '../cards/cards.ts'
import type { FromPool, Gift } from '../gifts/gifts.ts'

export type { AwaitedReward, FromPool } from '../gifts/gifts.ts'

/** The longest reason of a reward, in characters. */
export const MAX_REWARD_REASON = 200

/** Kinds of payment from a server's pool. `reward`: for one person. */
export type SpendingKind = 'reward' | 'tip' | 'rain' | 'drop' | 'giveaway' | 'voucher' | 'vouchers' | 'list'

/** Whom a moderator has chosen, and how much they get. */
export interface ChosenShare {
  readonly recipient: string
  readonly amount: Msats
  /** Of a list: which line of its file, and what for. */
  readonly line?: number
  readonly reason?: string
}

/** Sats that are about to leave a pool. */
export interface PoolSpending {
  readonly kind: SpendingKind
  readonly member: string
  readonly pool: FromPool
  /** All payments out of the pool, in msats. */
  readonly amount: Msats
  /** Nobody, where the first who come get it. */
  readonly shares: readonly ChosenShare[]
  /**
   * The gift after its approval: with exact amounts, as it can be stored. Undefined for a reward, which tells it
   * itself.
   */
  readonly gift: Gift | undefined
  readonly origin: Origin
  /** Only its moderator sees the answer, so the question to others is a separate message. */
  readonly isPrivate?: true
  /** Of the command. */
  readonly digest: string
  /** The program or rule that spends in the member's place. */
  readonly cause?: SpendingCause | undefined
}

/** A rule that pays for something that happened, or a program with an API key. */
export interface SpendingCause {
  readonly kind: 'rule' | 'apiKey'
  readonly id: string
  /** The paid event; of a program, the Idempotency-Key. */
  readonly event: string
  /** Runs in the transaction that takes the sats, and throws TippingRefusal for what the rule or the key does not allow. */
  readonly take: (tx: Tx) => Promise<void>
}

/** Where a gift's sats come from, and what the change that takes them writes besides. */
export interface Funding {
  readonly account: AccountName
  /** Where it waits until it is final. */
  readonly held: AccountName
  /** Stored with the gift: what nobody takes goes back there. Null: to its giver. */
  readonly pool: string | null
  /** Shows the reward at once, because it was requested. */
  readonly card?: string
  /** Written before the gift's own entries. */
  readonly entries: readonly Entry[]
  /** To be called in the change that takes the sats. Throws TippingRefusal, and then nothing is taken. */
  write(tx: Tx, gift: FundedGift): Promise<void>
}

/** A connected wallet pays: nothing is taken from an account. */
export interface WalletFunding {
  readonly wallet: true
  /** The server whose wallet it is. Null: its giver's own. */
  readonly pool: string | null
  /** Shows the reward already, because it was asked for. */
  readonly card?: string
  /** To be called in the change that stores the payments. Throws TippingRefusal, and then nothing is paid. */
  write(tx: Tx, gift: FundedGift): Promise<void>
}

/** How a reward is paid that a second moderator has approved. */
export type ApprovedFunding = Funding | WalletFunding

/** Refuses payments that a server's wallet cannot make. */
export function mustBeOfPool(funding: ApprovedFunding): Funding {
  if ('wallet' in funding) throw new Error('a wallet does not pay for this')
  return funding
}

export interface FundedGift {
  /** Its own id. */
  readonly id: string
  readonly card: string
}

/** From a member's own wallet. `write` takes the gift out of their allowance. */
export function fromOwnWallet(write: WalletFunding['write']): WalletFunding {
  return { wallet: true, pool: null, write }
}

/** From a member's balance. `write` takes the gift out of their allowance. */
export function fromBalance(giver: string, write: Funding['write']): Funding {
  return { account: member(giver), held: held(giver), pool: null, entries: [], write }
}

/** From a server's pool. */
export function fromPool(guild: string, entries: readonly Entry[], write: Funding['write']): Funding {
  return { account: pool(guild), held: heldOfPool(guild), pool: guild, entries, write }
}
