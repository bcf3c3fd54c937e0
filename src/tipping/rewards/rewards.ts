import type { Msats } from '../../lib/money/amount.ts'
import type { Origin } from '../engine/cards/cards.ts'
import type { AwaitedReward, Recipient } from '../engine/gifts/gifts.ts'
import type { SpendingKind } from '../engine/spending/spending.ts'
import type { TipShare } from '../tips/tips.ts'
import type { ListCommand, ListConfirmation, ListOutcome, ListPreview, PersonInServer } from './lists.ts'

export { MAX_REWARD_REASON, type SpendingKind } from '../engine/spending/spending.ts'

/** Rewards, with which moderators pay people from a server's pool, within the moderators' budgets. */
export interface Rewards {
  /**
   * Pays a reward immediately. If the server's settings require a second moderator, reserves the sum until that
   * moderator decides. The server's wallet pays if it can, otherwise the pool.
   */
  give(command: RewardCommand): Promise<RewardView>
  /**
   * Approves a waiting reward. The person who requested the reward and the person who gets it cannot approve it. A list
   * may be refused as in `confirmList`.
   */
  approve(command: RewardApproval): Promise<RewardView>
  /** Denies a reward, or withdraws the moderator's own request. Restores the sum and the budget. */
  deny(command: RewardDecision): Promise<RewardView>
  view(id: string): Promise<RewardView>
  /**
   * Reads a list of members and Lightning Addresses to pay, and stores its valid lines until its moderator confirms it.
   * Nothing moves. Throws TippingRefusal `list-unreadable`, `list-empty`, `list-too-large` or `list-too-long`. The
   * result lists the wrong lines.
   */
  readList(command: ListCommand): Promise<ListPreview>
  /**
   * Pays all valid lines of a list in one change, or reserves their sum until a second moderator decides. If a split
   * made the list, everybody must still be payable. Throws TippingRefusal `split-left`, `split-bot`, `split-blocked`,
   * `split-address-here`, `not-there`, `not-yours` and others, and then pays nobody.
   */
  confirmList(word: ListConfirmation): Promise<AwaitedReward>
  /** Returns the states of a paid or waiting list's lines, in the file's order. */
  listOutcomes(reward: string): Promise<readonly ListOutcome[]>
}

export interface RewardCommand {
  readonly guild: string
  readonly member: string
  /** The ids of the moderator's roles in the server. */
  readonly roles: readonly string[]
  readonly to: Recipient
  /** The amount as typed. */
  readonly amount: string
  readonly reason: string
  readonly origin: Origin
}

export interface RewardDecision {
  readonly reward: string
  readonly member: string
}

export interface RewardApproval extends RewardDecision {
  /**
   * Returns present facts about a person who is in the server, because a split pays only such people. By default, finds
   * nobody.
   */
  readonly person?: PersonInServer
}

export interface RewardView {
  readonly id: string
  /**
   * The key by which a claim's button identifies the reward: the interaction of the command that gave the reward, or
   * otherwise the reward's id.
   */
  readonly key: string
  readonly card: string
  readonly guild: string
  /** The kind: a reward for one person, or another gift for which a pool pays. */
  readonly kind: SpendingKind
  readonly requester: string
  /** The resulting tip, drop, giveaway or voucher; undefined until it exists, and for a gift to one person. */
  readonly record: string | undefined
  /** The recipient; empty if the reward is not for one person. */
  readonly recipient: string
  /** The recipients that the moderator chose; empty if the first people who come get the gift. */
  readonly recipients: readonly string[]
  readonly amount: Msats
  readonly reason: string
  readonly state: 'asked' | 'paid' | 'denied'
  /** The moderator who decided; undefined before the decision, or if none was needed. */
  readonly decider: string | undefined
  /** The rule that gave the reward on behalf of its requester. */
  readonly rule: string | undefined
  /** The name of the API key that gave the reward on behalf of its requester. */
  readonly apiKey: string | undefined
  /** Whether the server's wallet pays instead of the pool. */
  readonly fromWallet: boolean
  /** The state of the recipient's sats; undefined unless the reward is paid. */
  readonly share: TipShare | undefined
  /** The states of a list's lines; undefined for everything else. */
  readonly lines: readonly ListOutcome[] | undefined
}
