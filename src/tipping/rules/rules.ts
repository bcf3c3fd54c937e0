import type { Msats } from '../../lib/money/amount.ts'
import type { RewardView } from '../rewards/rewards.ts'
import type { RecipeName, Trigger } from './recipes.ts'

/** A server may have so many rules that are not stopped. */
export const MAX_RULES = 25

/**
 * Automatic rewards. A rule pays its reward from the pool when something happens, as its owner would with `/reward`:
 * within the owner's budget, with the server's approval limit. Each event pays at most once, for any number of reports.
 */
export interface Rules {
  /** Makes a rule, on trial or switched on. */
  create(command: CreateRule): Promise<RuleView>
  /** The server's own, newest first. */
  list(guild: string): Promise<readonly RuleView[]>
  /** Switches a rule on that is on trial or stopped. It is the rule of the person who starts it from then on. */
  start(command: RuleDecision): Promise<RuleView>
  stop(command: RuleDecision): Promise<RuleView>
  /** Whether anything that happens there may concern a rule. From memory: every message asks. */
  watches(guild: string, trigger: Trigger): boolean
  /** Something has happened. Resolves to the rewards of its rules, also earlier ones. */
  heard(event: RuleEvent): Promise<readonly RewardView[]>
}

export interface CreateRule {
  readonly guild: string
  readonly member: string
  readonly recipe: RecipeName
  /** Of each reward, as typed. */
  readonly amount: string
  /** In a month, as typed. */
  readonly budget: string
  readonly role?: string | undefined
  readonly days?: number | undefined
  /** As typed: an emoji of Unicode, or one of the server's own as Discord writes it. */
  readonly emoji?: string | undefined
  /** The reason on the rewards' cards. */
  readonly reason: string
  readonly trial: boolean
  /** The command's, so it makes one rule for any number of deliveries. */
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
  /** Of the budget, this month. */
  readonly spent: Msats
  readonly reason: string
  readonly state: 'trial' | 'on' | 'stopped'
  /** Undefined if it was stopped because its owner may not reward any more. */
  readonly stoppedBy: string | undefined
  /** The refusal that it met when it last should have paid. */
  readonly trouble: string | undefined
  /** Rewards that it has given; on trial: that it would have given. */
  readonly given: number
  readonly createdAt: Date
}

export interface RuleEvent {
  readonly guild: string
  readonly channel: string
  readonly locale: string
  /** The person who may be rewarded for it. */
  readonly recipient: { readonly id: string; readonly bot: boolean }
  readonly what:
    | { readonly kind: 'seen' }
    | { readonly kind: 'reaction'; readonly emoji: string; readonly message: string; readonly by: string }
    | { readonly kind: 'solved'; readonly thread: string; readonly by: string }
  /**
   * Discord's facts about the recipient; undefined if they have left. Asked at most once, and only when a rule may pay.
   */
  readonly facts: () => Promise<RecipientFacts | undefined>
  /** The roles of a moderator there; undefined if the member may not reward any more. */
  readonly moderator: (member: string) => Promise<readonly string[] | undefined>
}

export interface RecipientFacts {
  readonly accountSince: Date
  readonly memberSince: Date
  readonly roles: readonly string[]
}
