import type { Msats } from '../../lib/money/amount.ts'
import type { RewardView } from '../rewards/rewards.ts'
import type { RecipeName, Trigger } from './recipes.ts'

/** The most active rules of one server. */
export const MAX_RULES = 25

/**
 * Automatic rewards. When an event happens, a rule pays its reward as the rule's owner would with `/reward`: within the
 * owner's budget, and subject to the server's approval limit. Each rule pays for an event at most once, no matter how
 * often the event is reported.
 */
export interface Rules {
  /** Creates a rule, on trial or switched on. */
  create(command: CreateRule): Promise<RuleView>
  /** Returns the server's rules, newest first. */
  list(guild: string): Promise<readonly RuleView[]>
  /** Switches on a rule that is on trial or stopped. The rule then belongs to the person who switched it on. */
  start(command: RuleDecision): Promise<RuleView>
  stop(command: RuleDecision): Promise<RuleView>
  /**
   * Returns whether an event in the server may concern a rule. Reads from memory, because this method is called for
   * every message.
   */
  watches(guild: string, trigger: Trigger): boolean
  /** Makes rules pay for an event. Resolves to the rewards for the event, which may have been paid earlier. */
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
  /** The emoji as typed: a Unicode emoji, or one of the server's own as Discord writes it. */
  readonly emoji?: string | undefined
  /** The reason on the rewards' cards. */
  readonly reason: string
  readonly trial: boolean
  /**
   * The command's interaction, so that the command creates only one rule, no matter how often the interaction is
   * delivered.
   */
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
  /** The member who stopped the rule; undefined for an active rule, or one whose owner may no longer give rewards. */
  readonly stoppedBy: string | undefined
  /** The code of the rule's last refusal, if its last payment was refused. */
  readonly trouble: string | undefined
  /** The number of rewards that the rule has given, or on trial would have given. */
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
   * Returns Discord's facts about the recipient; undefined if the recipient has left. Called at most once, and only if
   * a rule may pay.
   */
  readonly facts: () => Promise<RecipientFacts | undefined>
  /** Returns a moderator's roles in the server; undefined if the member may no longer give rewards. */
  readonly moderator: (member: string) => Promise<readonly string[] | undefined>
}

export interface RecipientFacts {
  readonly accountSince: Date
  readonly memberSince: Date
  readonly roles: readonly string[]
}
