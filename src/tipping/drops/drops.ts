import type { Msats } from '../../lib/money/amount.ts'
import type { Origin } from '../engine/cards/cards.ts'
import type { GiftSource, PendingTip } from '../engine/gifts/gifts.ts'
import type { WalletShareView } from '../engine/own-wallets/view-wallet-share.ts'
import type { PayoutShown } from '../engine/payouts/payout-shown.ts'
import type { AwaitedReward, FromPool } from '../engine/spending/spending.ts'

/** Sats in a pot, a share for each of the first who take one, or who are drawn when the time is over. */
export interface Drops {
  /**
   * Takes the pot from the member's balance and opens the drop; takes nothing if the member's own wallet pays each
   * share as it is claimed.
   */
  open(command: DropCommand): Promise<DropView>
  /** The same. Above the server's confirmation limit it moves nothing, and returns what its giver must confirm. */
  ask(command: DropCommand): Promise<DropView | PendingTip>
  confirm(word: { readonly asked: string; readonly member: string; readonly origin: Origin }): Promise<DropView>
  /** Takes the pot from a server's pool, or sets it aside until a second moderator decides. */
  openFromPool(command: DropCommand & { readonly pool: FromPool }): Promise<DropView | AwaitedReward>
  /**
   * Takes a share, or enters the draw. Each person once, and each Lightning account once; a second press shows their
   * share. Newcomers use the bot from now on, with the share in their balance.
   */
  claim(command: {
    readonly drop: string
    readonly claimant: Claimant
    /** To the puzzle, as typed. */
    readonly answer?: string
    readonly origin: Origin
  }): Promise<DropClaimView>
  /** Ends a drop before its time; the unclaimed part goes back. Its owner may, and a moderator of its server. */
  close(command: {
    readonly drop: string
    readonly member: string
    readonly moderator: boolean
    readonly origin: Origin
  }): Promise<DropView>
  view(id: string): Promise<DropView>
  /** A member's own that are open, the newest first. */
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
  /** Each share is a voucher code, shown to its claimer alone. */
  readonly codes?: boolean
  /** Everybody who presses enters, and the shares are drawn when the time is over. */
  readonly draw?: boolean
  readonly puzzle?: PuzzleKind
  /** The question (`trivia`). */
  readonly question?: string
  /** The expected answer; alternatives separated by `|`. A `sum` makes its own, a `phrase` may. */
  readonly answer?: string
  readonly role?: string
  readonly accountDays?: number
  readonly memberDays?: number
  /** When the giver's Discord account was made; young ones may give less. */
  readonly accountSince?: Date
  /** Paid by a server's pool or wallet, not by the giver. */
  readonly pool?: FromPool
  /** Left out: the giver's wallet pays where the balance has too little. */
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
  /** The person who ended it before its time. */
  readonly closedBy: string | undefined
  /** How many have entered the draw. */
  readonly entered: number
  /** Recipients of a share, in the order in which they took it or entered the draw. */
  readonly winners: readonly string[]
  /** A connected wallet pays each claimed share; these are their states. Undefined if there is a pot. */
  readonly payments: readonly WalletShareView[] | undefined
  /**
   * The sum that returned to the owner or the pool, or stayed in the wallet; for an unclaimed code, once that is known.
   */
  readonly returned: Msats
  /** Why a server's pool pays for it; undefined if its owner does. */
  readonly reason: string | undefined
}

/** `entered`: waits for the draw. `missed`: was not drawn. `given`: has a share, and where it is now. */
export interface DropClaimView extends PayoutShown {
  readonly id: string
  readonly card: string
  readonly drop: string
  readonly owner: string
  readonly member: string
  readonly amount: Msats
  readonly chance: 'entered' | 'missed' | 'given'
  /** A share that is a voucher: its code while nobody has redeemed it, and whether any wallet may claim it. */
  readonly voucher: { readonly id: string; readonly code: string | undefined; readonly anyWallet: boolean } | undefined
  /** State of a share that a wallet pays. `state` says nothing of it. */
  readonly payment: WalletShareView | undefined
  /** It is a server's wallet. */
  readonly fromPool: boolean
}
