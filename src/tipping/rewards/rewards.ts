import type { Msats } from '../../lib/money/amount.ts'
import type { Origin } from '../engine/cards/cards.ts'
import type { AwaitedReward, Recipient } from '../engine/gifts/gifts.ts'
import type { SpendingKind } from '../engine/spending/spending.ts'
import type { TipShare } from '../tips/tips.ts'
import type { ListCommand, ListConfirmation, ListOutcome, ListPreview, PersonInServer } from './lists.ts'

export { MAX_REWARD_REASON, type SpendingKind } from '../engine/spending/spending.ts'

/** Rewards pay people from a server's pool, by a moderator's command and within the moderator's budget. */
export interface Rewards {
  /**
   * Pays at once, or reserves the sum until a second moderator decides, if the server's settings require that. The
   * server's wallet pays if it can, otherwise the pool.
   */
  give(command: RewardCommand): Promise<RewardView>
  /**
   * Approves a waiting reward. The person who requested the reward and the person who gets it cannot approve it. A list
   * may be refused as in `confirmList`.
   */
  approve(command: RewardApproval): Promise<RewardView>
  /** Denies a reward, or withdraws the moderator's own. Restores sum and budget. */
  deny(command: RewardDecision): Promise<RewardView>
  view(id: string): Promise<RewardView>
  /**
   * Reads a list of members and Lightning Addresses to pay, and stores its valid lines until its moderator confirms it.
   * Nothing moves. Throws TippingRefusal `list-unreadable`, `list-empty`, `list-too-large` or `list-too-long`. The
   * answer names wrong lines.
   */
  readList(command: ListCommand): Promise<ListPreview>
  /**
   * Pays all valid lines in one change, or reserves their sum until a second moderator decides. In a split, everybody
   * must still be payable. Throws TippingRefusal `split-left`, `split-bot`, `split-blocked`, `split-address-here`,
   * `not-there`, `not-yours` and others, and then pays nobody.
   */
  confirmList(word: ListConfirmation): Promise<AwaitedReward>
  /** Returns the states of a paid or waiting list's lines, in the file's order. */
  listOutcomes(reward: string): Promise<readonly ListOutcome[]>
}

export interface RewardCommand {
  readonly guild: string
  readonly member: string
  /** The ids of the moderator's roles there. */
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
  /** Finds a person who is now in the server. A split pays nobody else. Default: finds nobody. */
  readonly person?: PersonInServer
}

export interface RewardView {
  readonly id: string
  /** The interaction of the command that gave it, by which a claim's button names it. Otherwise its id. */
  readonly key: string
  readonly card: string
  readonly guild: string
  /** A reward for one person, or another gift that a pool pays. */
  readonly kind: SpendingKind
  readonly requester: string
  /** The resulting tip, drop, giveaway or voucher; undefined before that, and for a gift to one person. */
  readonly record: string | undefined
  /** Empty if it is not for one person. */
  readonly recipient: string
  /** The recipients that the moderator chose; empty if the first to come get it. */
  readonly recipients: readonly string[]
  readonly amount: Msats
  readonly reason: string
  readonly state: 'asked' | 'paid' | 'denied'
  /** The moderator who decided; undefined if nobody else was needed. */
  readonly decider: string | undefined
  /** The rule that gave the reward on behalf of its requester. */
  readonly rule: string | undefined
  /** The name of the API key that gave the reward on behalf of its requester. */
  readonly apiKey: string | undefined
  /** Whether the server's wallet pays instead of the pool. */
  readonly fromWallet: boolean
  /** The state of the recipient's sats; undefined unless it is paid. */
  readonly share: TipShare | undefined
  /** The states of a list's lines; undefined for everything else. */
  readonly lines: readonly ListOutcome[] | undefined
}
