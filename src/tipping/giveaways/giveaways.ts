import type { Msats } from '../../lib/money/amount.ts'
import type { DrawProof } from '../../lib/proofs/draw-proof.ts'
import type { Origin } from '../engine/cards/cards.ts'
import type { PendingTip } from '../engine/gifts/gifts.ts'
import type { PayoutShown } from '../engine/payouts/payout-shown.ts'
import type { AwaitedReward, FromPool } from '../engine/spending/spending.ts'

/**
 * Giveaways give sats to people chosen by a draw that everybody can compute again. docs/VERIFY.md explains what that
 * proves, and what it does not. When a giveaway starts, it reserves the prizes and publishes a commitment to a secret
 * seed. When it ends, nobody can enter any more, and the hash of the entrants is published. Half a minute later drand
 * signs the announced round. The draw mixes in that signature, reveals the seed, and pays the winners in the same way
 * as a tip. Prizes that nobody won go back.
 */
export interface Giveaways {
  start(command: StartGiveaway): Promise<GiveawayView>
  /**
   * Starts a giveaway. Above the server's confirmation limit, moves nothing and returns what the starter must confirm.
   */
  ask(command: StartGiveaway): Promise<GiveawayView | PendingTip>
  confirm(word: { readonly asked: string; readonly member: string; readonly origin: Origin }): Promise<GiveawayView>
  /** Starts a giveaway with prizes from a server's pool, or reserves the prizes until a second moderator decides. */
  startFromPool(command: StartGiveaway & { readonly pool: FromPool }): Promise<GiveawayView | AwaitedReward>
  /** Enters a member into the draw. Entering again changes nothing. */
  enter(command: EnterGiveaway): Promise<GiveawayEntered>
  /**
   * Announces that a giveaway ends early, in a minute. Only its starter may do so. If it has ended, returns its state.
   */
  end(command: GiveawayDecision): Promise<GiveawayView>
  /** Returns the requested changes to an open giveaway, and their cost. Changes nothing. */
  planEdit(command: PlanEdit): Promise<PlannedEdit>
  /**
   * Changes a giveaway as planned, without harm to entrants. The starter may set a larger prize, more winners and a
   * later end; a moderator may only set a later end.
   */
  edit(command: EditGiveaway): Promise<GiveawayView>
  /** Cancels a giveaway before anybody was drawn, and returns everything. Its starter or a moderator may do so. */
  cancel(command: GiveawayDecision): Promise<GiveawayView>
  /**
   * Draws one more person who has not won yet: the next in the order that the draw fixed. Earlier prizes stay with
   * their winners. The new prize is paid from the starter's balance, and only the starter may request this draw.
   */
  reroll(command: RerollGiveaway): Promise<GiveawayRerollView>
  /** Claims the prize that was drawn for a member, within the claim time. Claiming again changes nothing. */
  claim(command: ClaimPrize): Promise<PrizeClaimed>
  /**
   * Draws the unclaimed prizes again after the claim time is over, as the bot itself does, by naming the next people in
   * the order. Only the starter or a moderator may request this.
   */
  redraw(command: GiveawayDecision): Promise<GiveawayView>
  view(id: string): Promise<GiveawayView>
  /**
   * Returns a page of the entrants, in the order in which they entered. For a page beyond the end, returns the last
   * page.
   */
  entrants(command: {
    readonly giveaway: string
    readonly guild: string | null
    readonly page: number
  }): Promise<GiveawayEntrants>
  /** Returns one prize that was drawn later, by the prize's own id. */
  rerollView(id: string): Promise<GiveawayRerollView>
  /** Returns all data for computing the draw again; `proof` is undefined before the draw. */
  proof(command: { readonly giveaway: string; readonly guild: string | null }): Promise<GiveawayProof>
  /** Returns the server's giveaways, newest first, at most `limit`. */
  list(command: { readonly guild: string | null; readonly limit: number }): Promise<GiveawayView[]>
}

export interface StartGiveaway {
  readonly member: string
  /** Each winner's prize, as typed. `all` and `half` of the balance are shared among the winners. */
  readonly prize: string
  readonly winners: number
  /** The time to enter, as typed: `30m`, `2h`, `1d 12h`. */
  readonly duration: string
  /** The roles, at most three, of which a member needs either one or all to enter. */
  readonly roles?: RequiredRoles | undefined
  /**
   * The number of entrants that closes entry, a minute after the last of them has entered, unless the giveaway ends
   * sooner.
   */
  readonly maxEntries?: number | undefined
  /** An earned role, and the chances of each of its holders, 2 to 10. Everybody else has one chance. */
  readonly bonus?: BonusChances | undefined
  /** The least age in days of an entrant's Discord account. */
  readonly minAgeDays?: number
  /** The number of past days, 1 to 30, in which an entrant must have written in the server. */
  readonly activeDays?: number | undefined
  /**
   * The claim time as typed, 10 minutes to 7 days. Winners must claim their prizes in that time, and unclaimed prizes
   * are drawn again. Default: prizes are paid immediately.
   */
  readonly claimTime?: string | undefined
  /** When the starter's Discord account was created. New accounts may give less. */
  readonly accountSince?: Date
  /** The request to pay from a server's pool; undefined if the starter's balance pays. */
  readonly pool?: FromPool
  readonly origin: Origin
}

export interface RequiredRoles {
  readonly ids: readonly string[]
  readonly need: 'any' | 'all'
}

export interface BonusChances {
  readonly role: string
  readonly chances: number
}

export interface EnterGiveaway {
  readonly giveaway: string
  readonly member: string
  /** Discord's facts about the member. */
  readonly entrant: { readonly accountSince: Date; readonly roles: readonly string[] }
  /** The interaction id of the button's press. */
  readonly interaction: string
}

export interface GiveawayEntered {
  readonly already: boolean
  readonly entrants: number
  readonly endsAt: Date
}

export interface GiveawayEntrants {
  readonly giveaway: GiveawayView
  readonly entrants: readonly { readonly member: string; readonly chances: number }[]
  /** The number of the page, from 0. */
  readonly page: number
  readonly pages: number
}

export interface ClaimPrize {
  readonly giveaway: string
  readonly member: string
  /** The interaction id of the button's press. */
  readonly interaction: string
}

export interface PrizeClaimed {
  readonly already: boolean
  readonly prize: Msats
}

export interface GiveawayDecision {
  readonly giveaway: string
  readonly member: string
  readonly moderator: boolean
  /** The server of the request. A giveaway can be managed only in its own server. */
  readonly guild: string | null
}

export interface PlanEdit extends GiveawayDecision {
  /** Each winner's new prize, as typed. Default: unchanged. */
  readonly prize?: string | undefined
  readonly winners?: number | undefined
  /** How much later the giveaway should end, as typed. */
  readonly longer?: string | undefined
}

export interface PlannedEdit {
  readonly giveaway: GiveawayView
  /** The number of earlier edits. */
  readonly revision: number
  readonly prize: Msats
  readonly winners: number
  /** The new end; undefined if the end does not change. */
  readonly endsAt: Date | undefined
  /** The additional cost to the starter, in msats. */
  readonly cost: Msats
}

export interface EditGiveaway extends GiveawayDecision, Pick<PlannedEdit, 'revision' | 'prize' | 'winners' | 'endsAt'> {
  readonly accountSince?: Date
  readonly origin: Origin
}

/** A change to a giveaway that people could still enter. */
export interface GiveawayEdit {
  readonly by: string
  readonly at: Date
  readonly from: GiveawayTerms
  readonly to: GiveawayTerms
}

export interface GiveawayTerms {
  readonly prize: Msats
  readonly winners: number
  readonly endsAt: Date
}

export interface RerollGiveaway extends GiveawayDecision {
  readonly accountSince?: Date
  readonly origin: Origin
}

/** The state of a giveaway. `sealed`: nobody can enter any more, and the draw is imminent. */
export type GiveawayState = 'open' | 'sealed' | 'drawn' | 'cancelled'

export interface GiveawayView {
  readonly id: string
  readonly card: string
  readonly starter: string
  readonly channel: string
  readonly guild: string | null
  /** The prize of each winner. */
  readonly prize: Msats
  readonly winners: number
  readonly roles: RequiredRoles | undefined
  readonly maxEntries: number | undefined
  readonly minAgeDays: number | undefined
  readonly activeDays: number | undefined
  /** The changes, oldest first. */
  readonly edits: readonly GiveawayEdit[]
  readonly bonus: BonusChances | undefined
  readonly state: GiveawayState
  readonly entrants: number
  readonly endsAt: Date
  readonly endedAt: Date | undefined
  /** The moderator who cancelled the giveaway; undefined unless a moderator other than its starter did so. */
  readonly cancelledBy: string | undefined
  /** The seed's SHA-256, in hexadecimal. */
  readonly commitment: string
  /** The hash of the entrants, known after the giveaway is sealed. */
  readonly entrantsHash: string | undefined
  /** The announced public value for the draw; undefined if the seed alone decides. */
  readonly beacon: GiveawayBeacon | undefined
  /** The secret seed in hexadecimal, known after the draw. */
  readonly seed: string | undefined
  /** The people who have a prize. */
  readonly won: readonly GiveawayPrize[]
  /** The state of the claims; undefined if prizes are paid immediately. */
  readonly claim: GiveawayClaims | undefined
  /** The sum that went back to the starter or the pool; 0 until that is known. */
  readonly returned: Msats
  /** The reason why a server's pool pays; undefined if the starter pays. */
  readonly reason: string | undefined
}

export interface GiveawayClaims {
  /** How long winners have to claim their prizes, in minutes. */
  readonly minutes: number
  /** The people who were drawn, in the draw's order. */
  readonly named: readonly NamedWinner[]
  /** When the last prize was claimed or went back. */
  readonly settledAt: Date | undefined
}

export interface NamedWinner {
  readonly member: string
  /** The number of the round: 0 is the draw, and each later round is for unclaimed prizes. */
  readonly round: number
  readonly until: Date
  /** The state of the winner's claim. `missed`: the winner did not claim in time. */
  readonly state: 'open' | 'claimed' | 'missed'
}

export interface GiveawayBeacon {
  /** The number of drand's round, and when drand signs that round. */
  readonly round: number
  readonly at: Date
  /** The state of the public value. `missed`: it was not available within a day, so the seed alone decided. */
  readonly state: 'announced' | 'mixed' | 'missed'
}

export interface GiveawayPrize extends PayoutShown {
  readonly member: string
  /** Whether the person was drawn later, in addition to the planned winners. */
  readonly again: boolean
}

export interface GiveawayRerollView extends GiveawayPrize {
  readonly id: string
  readonly card: string
  readonly giveaway: GiveawayView
}

export interface GiveawayProof {
  readonly giveaway: GiveawayView
  /** The cards that published the commitment at the start, and the hash of the entrants before the seed. */
  readonly published: { readonly commitment: string; readonly entrants: string | undefined }
  readonly proof: DrawProof | undefined
}
