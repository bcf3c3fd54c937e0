import type { Msats } from '../../lib/money/amount.ts'
import type { Origin } from '../engine/cards/cards.ts'
import type { AwaitedReward, Recipient } from '../engine/gifts/gifts.ts'
import type { SpendingKind } from '../engine/spending/spending.ts'
import type { TipShare } from '../tips/tips.ts'
import type { ListCommand, ListConfirmation, ListOutcome, ListPreview, PersonInServer } from './lists.ts'

export { MAX_REWARD_REASON, type SpendingKind } from '../engine/spending/spending.ts'

/** Sats from a server's pool for somebody, by a moderator and within the moderator's budget. */
export interface Rewards {
  /**
   * Pays at once, or sets the sum aside until a second moderator decides, where the server's settings want one. The server's wallet pays where it
   * can, else the pool.
   */
  give(command: RewardCommand): Promise<RewardView>
  /** Says yes to a reward that waits. The one who asked for it, or gets it, cannot. A list may be refused as by `confirmList`. */
  approve(command: RewardApproval): Promise<RewardView>
  /** Denies it, or withdraws one's own; sum and budget are as before. */
  deny(command: RewardDecision): Promise<RewardView>
  view(id: string): Promise<RewardView>
  /**
   * Reads a list of members and Lightning Addresses to be paid, and stores its right lines until its moderator confirms
   * it; nothing moves. Throws TippingRefusal `list-unreadable`, `list-empty`, `list-too-large` or `list-too-long`; a
   * wrong line is part of the answer.
   */
  readList(command: ListCommand): Promise<ListPreview>
  /**
   * Pays all lines that are right in one change, or sets their sum aside until a second moderator decides. In a split,
   * everybody must still be payable. Throws TippingRefusal, and then nobody is paid: `split-left`, `split-bot`,
   * `split-blocked`, `split-address-here`, `not-there`, `not-yours`, …
   */
  confirmList(word: ListConfirmation): Promise<AwaitedReward>
  /** The states of a paid or waiting list's lines, in the order of the file. */
  listOutcomes(reward: string): Promise<readonly ListOutcome[]>
}

export interface RewardCommand {
  readonly guild: string
  readonly member: string
  /** Ids of the moderator's roles there. */
  readonly roles: readonly string[]
  readonly to: Recipient
  /** As typed. */
  readonly amount: string
  readonly reason: string
  readonly origin: Origin
}

export interface RewardDecision {
  readonly reward: string
  readonly member: string
}

export interface RewardApproval extends RewardDecision {
  /** Finds a person in the server now: a split pays nobody else. Left out: nobody is. */
  readonly person?: PersonInServer
}

export interface RewardView {
  readonly id: string
  /** The interaction of the command that gave it, by which a claim's button names it. Else its id. */
  readonly key: string
  readonly card: string
  readonly guild: string
  /** Its kind: a reward for one person, or another gift that a pool pays for. */
  readonly kind: SpendingKind
  readonly requester: string
  /** The given tip, drop, giveaway or voucher; undefined until then, and for a gift to one person. */
  readonly record: string | undefined
  /** Empty if it is not for one person. */
  readonly recipient: string
  /** The moderator's chosen receivers; none, if the first who come get it. */
  readonly recipients: readonly string[]
  readonly amount: Msats
  readonly reason: string
  readonly state: 'asked' | 'paid' | 'denied'
  /** The moderator who decided; undefined if nobody else was needed. */
  readonly decider: string | undefined
  /** The rule that gave it, in its requester's place. */
  readonly rule: string | undefined
  /** The name of the API key that gave it, in its requester's place. */
  readonly apiKey: string | undefined
  /** The server's wallet pays it, not the pool. */
  readonly fromWallet: boolean
  /** State of the recipient's sats; undefined unless it is paid. */
  readonly share: TipShare | undefined
  /** States of a list's lines; undefined for everything else. */
  readonly lines: readonly ListOutcome[] | undefined
}
