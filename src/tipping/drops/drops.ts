import type { Msats } from '../../lib/money/amount.ts'
import type { Origin } from '../engine/cards/cards.ts'
import type { GiftSource, PendingTip } from '../engine/gifts/gifts.ts'
import type { WalletShareView } from '../engine/own-wallets/view-wallet-share.ts'
import type { PayoutShown } from '../engine/payouts/payout-shown.ts'
import type { AwaitedReward, FromPool } from '../engine/spending/spending.ts'

/**
 * Drops: sats in a pot, with a share for each of the first people to press, or for each person who is drawn at the end.
 */
export interface Drops {
  /**
   * Takes the pot from the member's balance and opens the drop. Takes nothing if the member's own wallet pays each
   * share when that share is claimed.
   */
  open(command: DropCommand): Promise<DropView>
  /**
   * Opens a drop as `open` does. Above the server's confirmation limit, moves nothing, and returns the gift that the
   * member must confirm.
   */
  ask(command: DropCommand): Promise<DropView | PendingTip>
  confirm(word: { readonly asked: string; readonly member: string; readonly origin: Origin }): Promise<DropView>
  /** Opens a drop whose pot is taken from a server's pool, or reserved there until a second moderator decides. */
  openFromPool(command: DropCommand & { readonly pool: FromPool }): Promise<DropView | AwaitedReward>
  /**
   * Claims a share for a person, or enters the person in the draw: once for each person, and once for each Lightning
   * account. A second press returns the first claim. A newcomer counts as a user of the bot from then on, with the
   * share in their balance.
   */
  claim(command: {
    readonly drop: string
    readonly claimant: Claimant
    /** The answer to the puzzle, as typed. */
    readonly answer?: string
    readonly origin: Origin
  }): Promise<DropClaimView>
  /**
   * Ends a drop early, and returns the unclaimed part. Only the drop's owner, or a moderator of its server, may do so.
   */
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

/** A person who wants a share, with facts about that person from Discord. */
export interface Claimant {
  readonly id: string
  readonly accountSince: Date
  /** When the person joined the server; undefined if that is unknown. */
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
  /** Whether everybody who presses enters a draw for the shares at the end of the drop. */
  readonly draw?: boolean
  readonly puzzle?: PuzzleKind
  /** The question of a `trivia` puzzle. */
  readonly question?: string
  /**
   * The answers that a `trivia` puzzle accepts, separated by `|`, or the phrase of a `phrase` puzzle. Default: the bot
   * chooses a phrase.
   */
  readonly answer?: string
  readonly role?: string
  readonly accountDays?: number
  readonly memberDays?: number
  /** When the giver's Discord account was created. New accounts can give less. */
  readonly accountSince?: Date
  /** The server whose pool or wallet pays, with the moderator's roles and reason; undefined if the giver pays. */
  readonly pool?: FromPool
  /** The source that the giver chose. Default: the balance, or the giver's wallet if the balance is too small. */
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
  /** The person who ended the drop early; undefined if nobody did. */
  readonly closedBy: string | undefined
  /** The number of people who have entered the draw. */
  readonly entered: number
  /** The recipients of shares, in the order in which they claimed a share or entered the draw. */
  readonly winners: readonly string[]
  /** The states of claimed shares that a connected wallet pays; undefined if no wallet pays the drop. */
  readonly payments: readonly WalletShareView[] | undefined
  /**
   * The sum that returned to the owner or the pool, or stayed in the wallet. An unclaimed code counts once its return
   * is known.
   */
  readonly returned: Msats
  /** The reason why a server pays the drop; undefined if the drop's owner pays. */
  readonly reason: string | undefined
}

/**
 * One person's part in a drop. `entered`: the person waits for the draw. `missed`: the person was not drawn. `given`:
 * the person has a share, and the other fields show where it is now.
 */
export interface DropClaimView extends PayoutShown {
  readonly id: string
  readonly card: string
  readonly drop: string
  readonly owner: string
  readonly member: string
  readonly amount: Msats
  readonly chance: 'entered' | 'missed' | 'given'
  /**
   * The voucher that is the share, with its code until somebody has redeemed it, and whether any wallet may claim it;
   * undefined if the share is no voucher.
   */
  readonly voucher: { readonly id: string; readonly code: string | undefined; readonly anyWallet: boolean } | undefined
  /** The state of a share that a wallet pays, which `state` does not show; undefined for other shares. */
  readonly payment: WalletShareView | undefined
  /** Whether a server pays the share, from its pool or its wallet. */
  readonly fromPool: boolean
}
