import type { Msats } from '../../lib/money/amount.ts'
import type { DrawProof } from '../../lib/proofs/draw-proof.ts'
import type { Origin } from '../engine/cards/cards.ts'
import type { PendingTip } from '../engine/gifts/gifts.ts'
import type { PayoutShown } from '../engine/payouts/payout-shown.ts'
import type { AwaitedReward, FromPool } from '../engine/spending/spending.ts'

/**
 * Sats for the person who is drawn, with a draw that everybody can compute again. docs/VERIFY.md says what that proves,
 * and what not. The prizes are reserved when a giveaway starts, and a commitment to a secret seed is published. When it
 * ends nobody enters any more and the hash of the entrants is published. Half a minute later drand signs the announced
 * round. The draw mixes that in, reveals the seed, and pays the winners like a tip. Prizes that nobody won go back.
 */
export interface Giveaways {
  start(command: StartGiveaway): Promise<GiveawayView>
  /** The same. Above the server's confirmation limit it moves nothing, and returns what its starter must confirm. */
  ask(command: StartGiveaway): Promise<GiveawayView | PendingTip>
  confirm(word: { readonly asked: string; readonly member: string; readonly origin: Origin }): Promise<GiveawayView>
  /** Takes the prizes from a server's pool, or sets them aside until a second moderator decides. */
  startFromPool(command: StartGiveaway & { readonly pool: FromPool }): Promise<GiveawayView | AwaitedReward>
  /** Puts a member into the draw. Entering again changes nothing. */
  enter(command: EnterGiveaway): Promise<GiveawayEntered>
  /** Announces that it ends in a minute, before its time: by its starter. Ending again shows its state. */
  end(command: GiveawayDecision): Promise<GiveawayView>
  /** Reads the wanted changes of an open one, and their cost. Changes nothing. */
  planEdit(command: PlanEdit): Promise<PlannedEdit>
  /**
   * Changes it as planned, without harm: a larger prize and more winners by its starter, a later end also by a
   * moderator.
   */
  edit(command: EditGiveaway): Promise<GiveawayView>
  /** Calls it off, before anybody was drawn, and gives everything back: by its starter or a moderator. */
  cancel(command: GiveawayDecision): Promise<GiveawayView>
  /**
   * Draws one more, who has not won yet: the person who is next in the line that the draw has fixed. The won prizes
   * stay with their winners. The new prize is paid from the starter's balance, and only the starter may ask for it.
   */
  reroll(command: RerollGiveaway): Promise<GiveawayRerollView>
  /** Takes the prize that a member was drawn for, in the time that there is for that. Claiming again changes nothing. */
  claim(command: ClaimPrize): Promise<PrizeClaimed>
  /**
   * Draws the unclaimed prizes again, as the bot does when the time to claim is over: the people who are next in the line are named. By the
   * starter or a moderator, and never before.
   */
  redraw(command: GiveawayDecision): Promise<GiveawayView>
  view(id: string): Promise<GiveawayView>
  /** A page of the entrants, in the order in which they entered. A page beyond the end is the last one. */
  entrants(command: {
    readonly giveaway: string
    readonly guild: string | null
    readonly page: number
  }): Promise<GiveawayEntrants>
  /** One prize that was drawn later, by its own id. */
  rerollView(id: string): Promise<GiveawayRerollView>
  /** All data for computing the draw again; without `proof` before the draw. */
  proof(command: { readonly giveaway: string; readonly guild: string | null }): Promise<GiveawayProof>
  /** The server's own, newest first, at most `limit`. */
  list(command: { readonly guild: string | null; readonly limit: number }): Promise<GiveawayView[]>
}

export interface StartGiveaway {
  readonly member: string
  /** Each winner's prize, as typed; `all` and `half` of the balance are shared among the winners. */
  readonly prize: string
  readonly winners: number
  /** As typed: `30m`, `2h`, `1d 12h`. */
  readonly duration: string
  /** Only holders of one of these roles may enter, or of all of them; at most three ids. */
  readonly roles?: RequiredRoles | undefined
  /** Entry closes a minute after so many have entered, if that is before its end. */
  readonly maxEntries?: number | undefined
  /** Holders of an earned role have so many chances, 2 to 10, and everybody else has one. */
  readonly bonus?: BonusChances | undefined
  /** Only Discord accounts that are at least as many days old may enter. */
  readonly minAgeDays?: number
  /** Only who has written in the server in the last so many days may enter, 1 to 30. */
  readonly activeDays?: number | undefined
  /** As typed, 10 minutes to 7 days: winners must claim their prizes in that time, and what nobody claims is drawn again. Left out: prizes are paid at once. */
  readonly claimTime?: string | undefined
  /** When the starter's Discord account was made; young ones may give less. */
  readonly accountSince?: Date
  /** Paid by a server's pool, not from the balance. */
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
  /** The id of the press. */
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
  /** The id of the press. */
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
  /** Where it is asked; it is decided only in its own server. */
  readonly guild: string | null
}

export interface PlanEdit extends GiveawayDecision {
  /** Each winner's new prize, as typed. Default: unchanged. */
  readonly prize?: string | undefined
  readonly winners?: number | undefined
  /** So much later it ends, as typed. */
  readonly longer?: string | undefined
}

export interface PlannedEdit {
  readonly giveaway: GiveawayView
  /** How many edits there were before. */
  readonly revision: number
  readonly prize: Msats
  readonly winners: number
  /** Undefined if its end stays. */
  readonly endsAt: Date | undefined
  /** Its starter's cost. */
  readonly cost: Msats
}

export interface EditGiveaway extends GiveawayDecision, Pick<PlannedEdit, 'revision' | 'prize' | 'winners' | 'endsAt'> {
  readonly accountSince?: Date
  readonly origin: Origin
}

/** The changes that were made while people could enter. */
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

/** `sealed`: nobody enters any more, and it is about to be drawn. */
export type GiveawayState = 'open' | 'sealed' | 'drawn' | 'cancelled'

export interface GiveawayView {
  readonly id: string
  readonly card: string
  readonly starter: string
  readonly channel: string
  readonly guild: string | null
  /** Of each winner. */
  readonly prize: Msats
  readonly winners: number
  readonly roles: RequiredRoles | undefined
  readonly maxEntries: number | undefined
  readonly minAgeDays: number | undefined
  readonly activeDays: number | undefined
  /** The first one first. */
  readonly edits: readonly GiveawayEdit[]
  readonly bonus: BonusChances | undefined
  readonly state: GiveawayState
  readonly entrants: number
  readonly endsAt: Date
  readonly endedAt: Date | undefined
  /** The moderator who cancelled it in its starter's place. */
  readonly cancelledBy: string | undefined
  /** SHA-256 of the seed, in hexadecimal. */
  readonly commitment: string
  /** Known once it is sealed. */
  readonly entrantsHash: string | undefined
  /** The announced public value of its draw; undefined: the seed alone draws. */
  readonly beacon: GiveawayBeacon | undefined
  /** Known once it is drawn. */
  readonly seed: string | undefined
  /** The people who have a prize. */
  readonly won: readonly GiveawayPrize[]
  /** State of the claims; undefined if prizes are paid at once. */
  readonly claim: GiveawayClaims | undefined
  /** The sum that went back to the starter or the pool, once that is known. */
  readonly returned: Msats
  /** Why a server's pool pays for it; undefined if its starter does. */
  readonly reason: string | undefined
}

export interface GiveawayClaims {
  /** Time that winners have to claim. */
  readonly minutes: number
  /** The people who were drawn, in the order of the line. */
  readonly named: readonly NamedWinner[]
  /** Every prize was claimed or went back then. */
  readonly settledAt: Date | undefined
}

export interface NamedWinner {
  readonly member: string
  /** 0: the draw; each further one is for unclaimed prizes. */
  readonly round: number
  readonly until: Date
  /** `missed`: the time was over. */
  readonly state: 'open' | 'claimed' | 'missed'
}

export interface GiveawayBeacon {
  /** drand's round, and when it is signed. */
  readonly round: number
  readonly at: Date
  /** `missed`: it was not available for a day, and the seed alone drew. */
  readonly state: 'announced' | 'mixed' | 'missed'
}

export interface GiveawayPrize extends PayoutShown {
  readonly member: string
  /** Drawn later. */
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
