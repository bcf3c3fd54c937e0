import type { Msats } from '../../lib/money/amount.ts'
import type { Origin } from '../engine/cards/cards.ts'
import type { GiftSource, PendingTip } from '../engine/gifts/gifts.ts'
import type { WalletShareView } from '../engine/own-wallets/view-wallet-share.ts'
import type { PayoutShown } from '../engine/payouts/payout-shown.ts'
import type { AwaitedReward, FromPool } from '../engine/spending/spending.ts'

/** Drops put sats into a pot: a share for each of the first to come, or for those who are drawn at the end. */
export interface Drops {
  /**
   * Takes the pot from the member's balance and opens the drop. Takes nothing if the member's own wallet pays each
   * share when it is claimed.
   */
  open(command: DropCommand): Promise<DropView>
  /** Does the same. Above the server's confirmation limit it moves nothing, and returns what its giver must confirm. */
  ask(command: DropCommand): Promise<DropView | PendingTip>
  confirm(word: { readonly asked: string; readonly member: string; readonly origin: Origin }): Promise<DropView>
  /** Takes the pot from a server's pool, or reserves it until a second moderator decides. */
  openFromPool(command: DropCommand & { readonly pool: FromPool }): Promise<DropView | AwaitedReward>
  /**
   * Takes a share, or enters the draw: once for each person, and once for each Lightning account. A second press shows
   * their share. A newcomer uses the bot from now on, with the share in their balance.
   */
  claim(command: {
    readonly drop: string
    readonly claimant: Claimant
    /** The answer to the puzzle, as typed. */
    readonly answer?: string
    readonly origin: Origin
  }): Promise<DropClaimView>
  /** Ends a drop early, and returns the unclaimed part. Its owner or a moderator of its server may do so. */
  close(command: {
    readonly drop: string
    readonly member: string
    readonly moderator: boolean
    readonly origin: Origin
  }): Promise<DropView>
  view(id: string): Promise<DropView>
  /** Returns a member's own open drops, newest first. */
  mine(member: string, most: number): Promise<DropView[]>
  claimView(id: string): Promise<DropClaimView>
}

/** A person who wants a share, with the front's facts about them. */
export interface Claimant {
  readonly id: string
  readonly accountSince: Date
  /** When they joined the server. */
  readonly memberSince: Date | undefined
  readonly roles: readonly string[]
}

export type PuzzleKind = 'phrase' | 'sum' | 'trivia'

export interface DropCommand {
  readonly member: string
  /** The whole pot, as typed. Each share is rounded down to a sat; the rest stays in the balance. */
  readonly amount: string
  readonly shares: number
  readonly minutes?: number
  /** Whether each share is a voucher code, shown only to its claimant. */
  readonly codes?: boolean
  /** Whether everybody who presses enters a draw for the shares, which happens at the end. */
  readonly draw?: boolean
  readonly puzzle?: PuzzleKind
  /** The question (`trivia`). */
  readonly question?: string
  /** The expected answer, with alternatives separated by `|`. A `sum` makes its own, and a `phrase` may. */
  readonly answer?: string
  readonly role?: string
  readonly accountDays?: number
  readonly memberDays?: number
  /** When the giver's Discord account was created. New accounts can give less. */
  readonly accountSince?: Date
  /** The server's pool or wallet pays, not the giver. */
  readonly pool?: FromPool
  /** Default: the giver's wallet pays if the balance is too small. */
  readonly source?: GiftSource | undefined
  readonly origin: Origin
}

export interface DropView {
  readonly id: string
  readonly card: string
  readonly member: string
  readonly share: Msats
  readonly shares: number
  readonly claimed: number
  readonly state: 'open' | 'closed'
  readonly draw: boolean
  readonly codes: boolean
  readonly puzzle: { readonly kind: PuzzleKind; readonly question: string } | undefined
  readonly role: string | undefined
  readonly accountDays: number | undefined
  readonly memberDays: number | undefined
  readonly closesAt: Date
  /** The person who ended it early. */
  readonly closedBy: string | undefined
  /** The number of people who have entered the draw. */
  readonly entered: number
  /** The recipients of a share, in the order in which they took it or entered the draw. */
  readonly winners: readonly string[]
  /** The states of claimed shares that a connected wallet pays. Undefined if there is a pot. */
  readonly payments: readonly WalletShareView[] | undefined
  /**
   * The sum that returned to the owner or the pool, or stayed in the wallet; for unclaimed codes, when that is known.
   */
  readonly returned: Msats
  /** Why a server's pool pays; undefined if its owner does. */
  readonly reason: string | undefined
}

/** `entered`: waits for the draw. `missed`: was not drawn. `given`: has a share, with its present place. */
export interface DropClaimView extends PayoutShown {
  readonly id: string
  readonly card: string
  readonly drop: string
  readonly owner: string
  readonly member: string
  readonly amount: Msats
  readonly chance: 'entered' | 'missed' | 'given'
  /** A share that is a voucher: its code until somebody has redeemed it, and whether any wallet may claim it. */
  readonly voucher: { readonly id: string; readonly code: string | undefined; readonly anyWallet: boolean } | undefined
  /** The state of a share that a wallet pays, which `state` does not show. */
  readonly payment: WalletShareView | undefined
  /** A server's wallet pays. */
  readonly fromPool: boolean
}
