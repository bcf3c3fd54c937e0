import type { Msats } from '../../lib/money/amount.ts'
import type { Period } from '../core/budgets.ts'
import type { Origin } from '../engine/cards/cards.ts'
import type { PendingTip } from '../engine/gifts/gifts.ts'
import type { BookedValue } from '../engine/prices/noted-prices.ts'
import type { SpendingKind } from '../engine/spending/spending.ts'

export { PERIODS, type Period } from '../core/budgets.ts'

/** A server's reward pool. The front decides who may do what with it. */
export interface Pools {
  view(guild: string): Promise<PoolView>
  /** Creates a charge that fills the pool once, shown to the person who asked. */
  fund(command: PoolCommand): Promise<FundraiserView>
  /** Gives from a member's balance. A fundraiser takes its own amount. */
  give(command: Omit<PoolCommand, 'amount'> & { readonly amount: string }): Promise<PoolGiftView>
  giveTo(command: FundraiserGift): Promise<PoolGiftView>
  /** Does the same. Above the server's confirmation limit it moves nothing, and returns what its giver must confirm. */
  ask(command: PoolCommand): Promise<PoolGiftView | PendingTip>
  askTo(command: FundraiserGift): Promise<PoolGiftView | PendingTip>
  confirm(word: { readonly asked: string; readonly member: string; readonly origin: Origin }): Promise<PoolGiftView>
  /** Creates a charge that many may pay, `amount` each, until the goal is reached. */
  fundraise(command: PoolCommand & { readonly goal: string }): Promise<FundraiserView>
  fundraiser(id: string): Promise<FundraiserView>
  /** Ends a fundraiser before its goal. A late payment still goes to the pool. */
  closeFundraiser(command: { readonly fundraiser: string; readonly member: string }): Promise<FundraiserView>
  /** Sets what each member with a role may give in a period. The amount `none` removes the budget. */
  budget(command: BudgetCommand): Promise<readonly BudgetView[]>
  /** Returns the pool's moves since then, newest first. */
  history(guild: string, since: Date): Promise<readonly PoolLine[]>
  /** Returns all its moves, oldest first. The moderation log notes the export. */
  export(command: { readonly guild: string; readonly member: string }): Promise<readonly ExportedPoolLine[]>
}

export interface PoolCommand {
  readonly guild: string
  readonly member: string
  /** As typed. */
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
  /** As typed. */
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
  /** Rewards that wait for a second moderator, or for a newcomer. */
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
  /** Whether everybody sees it, or only the person who asked. */
  readonly public: boolean
  /** The amount of each payment. */
  readonly amount: Msats
  readonly goal: Msats
  readonly raised: Msats
  readonly payments: number
  readonly state: 'open' | 'reached' | 'closed'
  /** The code that a wallet scans: LNURL-pay. */
  readonly request: string
  readonly endedAt: Date | undefined
}

/**
 * One move of the pool, for people.
 * - `charge`: paid from outside. `gift`: from a member's balance.
 * - `reward`, `tip`, `rain`, `drop`, `giveaway`, `voucher`: given. `asked`: set aside until somebody else says yes, or
 *   until a newcomer takes it. `approved`: the reserved sum returns to the pool, to be given immediately. `returned`:
 *   it came back.
 */
export interface PoolLine {
  readonly at: Date
  /** In msats; negative for outgoing sums. */
  readonly amount: bigint
  /** The pool's balance afterwards. */
  readonly balance: Msats
  readonly what: 'charge' | 'gift' | SpendingKind | 'asked' | 'approved' | 'returned' | 'other'
  /** The member who did it. */
  readonly member: string | undefined
  readonly recipient: string | undefined
  readonly reason: string | undefined
  /** The recipe of the rule that gave it. */
  readonly rule: string | undefined
  /** The name of the API key that gave it. */
  readonly apiKey: string | undefined
  readonly operation: string
}

/** A move of the pool in an export. */
export interface ExportedPoolLine extends PoolLine {
  /** The value at its time; undefined if no price of that time is known. */
  readonly worth: BookedValue | undefined
}
