import type { Msats } from '../../lib/money/amount.ts'
import type { RewardView } from '../rewards/rewards.ts'
import type { RecipeName, Trigger } from './recipes.ts'

/** The most active rules of one server. */
export const MAX_RULES = 25

/**
 * Automatic rewards. A rule pays its reward from the pool when something happens, as its owner would with `/reward`:
 * within the owner's budget, with the server's approval limit. Each event pays at most once, however often it is
 * reported.
 */
export interface Rules {
  /** Makes a rule, on trial or switched on. */
  create(command: CreateRule): Promise<RuleView>
  /** Returns the server's rules, newest first. */
  list(guild: string): Promise<readonly RuleView[]>
  /** Switches on a rule that is on trial or stopped. It then belongs to the person who starts it. */
  start(command: RuleDecision): Promise<RuleView>
  stop(command: RuleDecision): Promise<RuleView>
  /** Whether an event in the server may concern a rule. Read from memory, because every message asks. */
  watches(guild: string, trigger: Trigger): boolean
  /** Handles an event. Resolves to its rules' rewards, including earlier ones. */
  heard(event: RuleEvent): Promise<readonly RewardView[]>
}

export interface CreateRule {
  readonly guild: string
  readonly member: string
  readonly recipe: RecipeName
  /** The amount of each reward, as typed. */
  readonly amount: string
  /** The monthly budget, as typed. */
  readonly budget: string
  readonly role?: string | undefined
  readonly days?: number | undefined
  /** As typed: a Unicode emoji, or one of the server's own as Discord writes it. */
  readonly emoji?: string | undefined
  /** The reason on the rewards' cards. */
  readonly reason: string
  readonly trial: boolean
  /** The command's interaction, so that it makes one rule however often it is delivered. */
  readonly interaction: string
}

export interface RuleDecision {
  readonly rule: string
  readonly guild: string
  readonly member: string
}

export interface RuleView {
  readonly id: string
  readonly guild: string
  readonly owner: string
  readonly recipe: RecipeName
  readonly role: string | undefined
  readonly emoji: string | undefined
  readonly days: number | undefined
  readonly amount: Msats
  readonly budget: Msats
  /** The part of the budget spent this month. */
  readonly spent: Msats
  readonly reason: string
  readonly state: 'trial' | 'on' | 'stopped'
  /** Undefined if it was stopped because its owner may no longer give rewards. */
  readonly stoppedBy: string | undefined
  /** The refusal of its last payment, if there was one. */
  readonly trouble: string | undefined
  /** The rewards that it has given; on trial: that it would have given. */
  readonly given: number
  readonly createdAt: Date
}

export interface RuleEvent {
  readonly guild: string
  readonly channel: string
  readonly locale: string
  /** The person who may be rewarded. */
  readonly recipient: { readonly id: string; readonly bot: boolean }
  readonly what:
    | { readonly kind: 'seen' }
    | { readonly kind: 'reaction'; readonly emoji: string; readonly message: string; readonly by: string }
    | { readonly kind: 'solved'; readonly thread: string; readonly by: string }
  /**
   * Returns Discord's facts about the recipient; undefined if they have left. Called at most once, and only if a rule
   * may pay.
   */
  readonly facts: () => Promise<RecipientFacts | undefined>
  /** Returns a moderator's roles there; undefined if the member may no longer give rewards. */
  readonly moderator: (member: string) => Promise<readonly string[] | undefined>
}

export interface RecipientFacts {
  readonly accountSince: Date
  readonly memberSince: Date
  readonly roles: readonly string[]
}
