import type { Msats } from '../../lib/money/amount.ts'
import type { DrawProof } from '../../lib/proofs/draw-proof.ts'
import type { Origin } from '../engine/cards/cards.ts'
import type { PendingTip } from '../engine/gifts/gifts.ts'
import type { PayoutShown } from '../engine/payouts/payout-shown.ts'
import type { AwaitedReward, FromPool } from '../engine/spending/spending.ts'

/**
 * Giveaways give sats to drawn people, by a draw that everybody can compute again. docs/VERIFY.md says what that
 * proves, and what not. When a giveaway starts, it reserves the prizes and publishes a commitment to a secret seed.
 * When it ends, nobody can enter any more, and it publishes the hash of the entrants. Half a minute later drand signs
 * the announced round. The draw mixes in that signature, reveals the seed, and pays the winners like a tip. Prizes that
 * nobody won go back.
 */
export interface Giveaways {
  start(command: StartGiveaway): Promise<GiveawayView>
  /**
   * Does the same. Above the server's confirmation limit it moves nothing, and returns what its starter must confirm.
   */
  ask(command: StartGiveaway): Promise<GiveawayView | PendingTip>
  confirm(word: { readonly asked: string; readonly member: string; readonly origin: Origin }): Promise<GiveawayView>
  /** Takes the prizes from a server's pool, or reserves them until a second moderator decides. */
  startFromPool(command: StartGiveaway & { readonly pool: FromPool }): Promise<GiveawayView | AwaitedReward>
  /** Enters a member into the draw. Entering again changes nothing. */
  enter(command: EnterGiveaway): Promise<GiveawayEntered>
  /** Announces that it ends early, in a minute. Only its starter may do so. Ending it again returns its state. */
  end(command: GiveawayDecision): Promise<GiveawayView>
  /** Reads the wanted changes to an open giveaway, and their cost. Changes nothing. */
  planEdit(command: PlanEdit): Promise<PlannedEdit>
  /**
   * Changes a giveaway as planned, without harm to entrants. The starter may set a larger prize and more winners; a
   * moderator may only set a later end.
   */
  edit(command: EditGiveaway): Promise<GiveawayView>
  /** Cancels a giveaway before anybody was drawn, and returns everything. Its starter or a moderator may do so. */
  cancel(command: GiveawayDecision): Promise<GiveawayView>
  /**
   * Draws one more person who has not won yet: the next in the order that the draw fixed. Earlier prizes stay with
   * their winners. The new prize is paid from the starter's balance, and only the starter may ask for it.
   */
  reroll(command: RerollGiveaway): Promise<GiveawayRerollView>
  /** Claims the prize that was drawn for a member, within the time to claim. Claiming again changes nothing. */
  claim(command: ClaimPrize): Promise<PrizeClaimed>
  /**
   * Draws the unclaimed prizes again after the time to claim is over, as the bot itself does: names the next people in
   * the order. The starter or a moderator may do so, but not earlier.
   */
  redraw(command: GiveawayDecision): Promise<GiveawayView>
  view(id: string): Promise<GiveawayView>
  /** Returns a page of the entrants, in the order in which they entered. A page beyond the end is the last one. */
  entrants(command: {
    readonly giveaway: string
    readonly guild: string | null
    readonly page: number
  }): Promise<GiveawayEntrants>
  /** Returns one prize that was drawn later, by its own id. */
  rerollView(id: string): Promise<GiveawayRerollView>
  /** Returns all data for computing the draw again; without `proof` before the draw. */
  proof(command: { readonly giveaway: string; readonly guild: string | null }): Promise<GiveawayProof>
  /** Returns the server's giveaways, newest first, at most `limit`. */
  list(command: { readonly guild: string | null; readonly limit: number }): Promise<GiveawayView[]>
}

export interface StartGiveaway {
  readonly member: string
  /** Each winner's prize, as typed. `all` and `half` of the balance are shared among the winners. */
  readonly prize: string
  readonly winners: number
  /** As typed: `30m`, `2h`, `1d 12h`. */
  readonly duration: string
  /** Only members with one of these roles, or with all of them, may enter. At most three ids. */
  readonly roles?: RequiredRoles | undefined
  /** Entry closes a minute after this many people have entered, unless it ends sooner. */
  readonly maxEntries?: number | undefined
  /** Members with an earned role have this many chances, 2 to 10. Everybody else has one. */
  readonly bonus?: BonusChances | undefined
  /** Only Discord accounts of at least this age in days may enter. */
  readonly minAgeDays?: number
  /** Only members who have written in the server in the last so many days may enter, 1 to 30. */
  readonly activeDays?: number | undefined
  /**
   * As typed, 10 minutes to 7 days. Winners must claim their prizes in that time, and unclaimed prizes are drawn again.
   * Default: prizes are paid immediately.
   */
  readonly claimTime?: string | undefined
  /** When the starter's Discord account was created. New accounts may give less. */
  readonly accountSince?: Date
  /** The server's pool pays, not the balance. */
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
  /** The press's id. */
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
  /** From 0. */
  readonly page: number
  readonly pages: number
}

export interface ClaimPrize {
  readonly giveaway: string
  readonly member: string
  /** The press's id. */
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
  /** Where it was asked. A giveaway is decided only in its own server. */
  readonly guild: string | null
}

export interface PlanEdit extends GiveawayDecision {
  /** Each winner's new prize, as typed. Default: unchanged. */
  readonly prize?: string | undefined
  readonly winners?: number | undefined
  /** How much later it ends, as typed. */
  readonly longer?: string | undefined
}

export interface PlannedEdit {
  readonly giveaway: GiveawayView
  /** The number of earlier edits. */
  readonly revision: number
  readonly prize: Msats
  readonly winners: number
  /** Undefined if its end does not change. */
  readonly endsAt: Date | undefined
  /** The cost to its starter. */
  readonly cost: Msats
}

export interface EditGiveaway extends GiveawayDecision, Pick<PlannedEdit, 'revision' | 'prize' | 'winners' | 'endsAt'> {
  readonly accountSince?: Date
  readonly origin: Origin
}

/** A change made while people could enter. */
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

/** `sealed`: nobody can enter any more, and the draw is imminent. */
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
  /** Oldest first. */
  readonly edits: readonly GiveawayEdit[]
  readonly bonus: BonusChances | undefined
  readonly state: GiveawayState
  readonly entrants: number
  readonly endsAt: Date
  readonly endedAt: Date | undefined
  /** The moderator who cancelled it instead of its starter. */
  readonly cancelledBy: string | undefined
  /** The seed's SHA-256, in hexadecimal. */
  readonly commitment: string
  /** Known after it is sealed. */
  readonly entrantsHash: string | undefined
  /** The announced public value for its draw. Undefined: the seed alone decides. */
  readonly beacon: GiveawayBeacon | undefined
  /** Known after it is drawn. */
  readonly seed: string | undefined
  /** The people who have a prize. */
  readonly won: readonly GiveawayPrize[]
  /** The state of the claims; undefined if prizes are paid immediately. */
  readonly claim: GiveawayClaims | undefined
  /** The sum that went back to the starter or the pool, when that is known. */
  readonly returned: Msats
  /** Why a server's pool pays; undefined if its starter does. */
  readonly reason: string | undefined
}

export interface GiveawayClaims {
  /** How long winners have to claim. */
  readonly minutes: number
  /** The people who were drawn, in the draw's order. */
  readonly named: readonly NamedWinner[]
  /** When the last prize was claimed or went back. */
  readonly settledAt: Date | undefined
}

export interface NamedWinner {
  readonly member: string
  /** 0: the draw. Each later round is for unclaimed prizes. */
  readonly round: number
  readonly until: Date
  /** `missed`: the winner did not claim in time. */
  readonly state: 'open' | 'claimed' | 'missed'
}

export interface GiveawayBeacon {
  /** drand's round, and when drand signs it. */
  readonly round: number
  readonly at: Date
  /** `missed`: it was not available within a day, so the seed alone decided. */
  readonly state: 'announced' | 'mixed' | 'missed'
}

export interface GiveawayPrize extends PayoutShown {
  readonly member: string
  /** Whether the person was drawn later. */
  readonly again: boolean
}

export interface GiveawayRerollView extends GiveawayPrize {
  readonly id: string
  readonly card: string
  readonly giveaway: GiveawayView
}

export interface GiveawayProof {
  readonly giveaway: GiveawayView
  /** The cards with the published values: at the start, and before the seed. */
  readonly published: { readonly commitment: string; readonly entrants: string | undefined }
  readonly proof: DrawProof | undefined
}
