import type { Msats } from '../../lib/money/amount.ts'
import type { Period } from '../core/budgets.ts'
import type { Origin } from '../engine/cards/cards.ts'
import type { PendingTip } from '../engine/gifts/gifts.ts'
import type { BookedValue } from '../engine/prices/noted-prices.ts'
import type { SpendingKind } from '../engine/spending/spending.ts'

export { PERIODS, type Period } from '../core/budgets.ts'

/** Servers' reward pools. The caller decides who may do what with a pool. */
export interface Pools {
  view(guild: string): Promise<PoolView>
  /** Creates a charge that fills the pool with one payment. Only the person who requested the charge sees it. */
  fund(command: PoolCommand): Promise<FundraiserView>
  /** Gives sats from a member's balance to the pool. `giveTo` gives the amount that the fundraiser suggests. */
  give(command: Omit<PoolCommand, 'amount'> & { readonly amount: string }): Promise<PoolGiftView>
  giveTo(command: FundraiserGift): Promise<PoolGiftView>
  /**
   * Does the same as `give`, but above the server's confirmation limit moves nothing, and returns what the giver must
   * confirm.
   */
  ask(command: PoolCommand): Promise<PoolGiftView | PendingTip>
  askTo(command: FundraiserGift): Promise<PoolGiftView | PendingTip>
  confirm(word: { readonly asked: string; readonly member: string; readonly origin: Origin }): Promise<PoolGiftView>
  /** Creates a charge that many people may pay, `amount` each, until the goal is reached. */
  fundraise(command: PoolCommand & { readonly goal: string }): Promise<FundraiserView>
  fundraiser(id: string): Promise<FundraiserView>
  /** Ends a fundraiser before its goal. A late payment still goes to the pool. */
  closeFundraiser(command: { readonly fundraiser: string; readonly member: string }): Promise<FundraiserView>
  /** Sets what each member with a role may give in a period. The amount `none` removes the budget. */
  budget(command: BudgetCommand): Promise<readonly BudgetView[]>
  /** Returns the pool's moves since a time, newest first. */
  history(guild: string, since: Date): Promise<readonly PoolLine[]>
  /** Returns all of the pool's moves, oldest first, and notes the export in the moderation log. */
  export(command: { readonly guild: string; readonly member: string }): Promise<readonly ExportedPoolLine[]>
}

export interface PoolCommand {
  readonly guild: string
  readonly member: string
  /** The amount as typed. */
  readonly amount: string
  readonly origin: Origin
}

export interface FundraiserGift {
  readonly fundraiser: string
  readonly member: string
  readonly origin: Origin
}

export interface BudgetCommand {
  readonly guild: string
  readonly member: string
  readonly role: string
  /** The amount as typed. */
  readonly amount: string
  readonly period: Period
}

export interface BudgetView {
  readonly role: string
  readonly amount: Msats
  readonly period: Period
}

export interface PoolView {
  readonly available: Msats
  /** The sum of the rewards that wait for a second moderator, or for a newcomer. */
  readonly reserved: Msats
  readonly budgets: readonly BudgetView[]
  readonly open: readonly FundraiserView[]
}

export interface PoolGiftView {
  readonly member: string
  readonly amount: Msats
  /** The pool's present balance. */
  readonly pool: Msats
}

export interface FundraiserView {
  readonly id: string
  readonly card: string
  readonly guild: string
  readonly member: string
  /** Whether everybody sees the fundraiser, or only the person who opened it. */
  readonly public: boolean
  /** The amount of each payment. */
  readonly amount: Msats
  readonly goal: Msats
  readonly raised: Msats
  readonly payments: number
  readonly state: 'open' | 'reached' | 'closed'
  /** The LNURL-pay code that a wallet scans. */
  readonly request: string
  readonly endedAt: Date | undefined
}

/**
 * One move of the pool, as people see it. `what` is one of these:
 * - `charge`: sats paid from outside. `gift`: sats from a member's balance.
 * - `reward`, `tip`, `rain`, `drop`, `giveaway`, `voucher`: sats given in this way. `asked`: sats set aside until a
 *   second moderator approves, or until a newcomer claims them. `approved`: the reserved sum returns to the pool, to be
 *   given immediately. `returned`: sats that came back.
 */
export interface PoolLine {
  readonly at: Date
  /** The amount in msats; negative for outgoing sums. */
  readonly amount: bigint
  /** The pool's balance after the move. */
  readonly balance: Msats
  readonly what: 'charge' | 'gift' | SpendingKind | 'asked' | 'approved' | 'returned' | 'other'
  /** The member responsible for the move. */
  readonly member: string | undefined
  readonly recipient: string | undefined
  readonly reason: string | undefined
  /** The recipe of the rule that gave the reward. */
  readonly rule: string | undefined
  /** The name of the API key that gave the reward. */
  readonly apiKey: string | undefined
  readonly operation: string
}

/** A move of the pool in an export. */
export interface ExportedPoolLine extends PoolLine {
  /** The move's value at its time; undefined if no price of that time is known. */
  readonly worth: BookedValue | undefined
}
