import { emojiKey } from '../core/emoji.ts'
import type { Rule } from '../generated/client.ts'
import { RECIPES, type Recipe, type RecipeName } from './recipes.ts'
import type { RecipientFacts, RuleEvent } from './rules.ts'

const DAY_MS = 24 * 3_600_000
/**
 * The minimum age, in days, of a Discord account that a rule pays, because people who farm rewards create new accounts.
 */
export const MIN_ACCOUNT_DAYS = 7

export function recipeOf({ recipe }: Pick<Rule, 'recipe'>): Recipe {
  return RECIPES[recipe as RecipeName]
}

/** Returns whether a rule concerns such an event, no matter which person the event concerns. */
export function mayPayFor(rule: Rule, what: RuleEvent['what']): boolean {
  const { trigger } = recipeOf(rule)
  switch (what.kind) {
    case 'seen':
      return trigger === 'role' || trigger === 'days'
    case 'reaction':
      return trigger === 'reaction' && rule.emoji !== null && emojiKey(what.emoji) === emojiKey(rule.emoji)
    default:
      return trigger === what.kind
  }
}

/**
 * Returns the key of an event for which a rule pays. Events with the same key are paid only once. Undefined if the rule
 * does not pay for the event. `atMs` is the present time, in milliseconds since 1970.
 */
export function eventKey(
  rule: Rule,
  { what, recipient }: RuleEvent,
  facts: RecipientFacts,
  atMs: number,
): string | undefined {
  const { trigger, repeats } = recipeOf(rule)
  if (atMs - facts.accountSince.getTime() < MIN_ACCOUNT_DAYS * DAY_MS) return undefined
  const periodMs = (rule.days ?? 1) * DAY_MS
  const perPeriod = `${recipient.id} ${Math.floor((atMs - rule.createdAt.getTime()) / periodMs)}`
  switch (trigger) {
    case 'role':
      if (what.kind !== 'seen' || rule.role === null) return undefined
      // Everybody has the role with the server's own id.
      if (rule.role !== rule.guild && !facts.roles.includes(rule.role)) return undefined
      return repeats ? perPeriod : recipient.id
    case 'days': {
      if (what.kind !== 'seen') return undefined
      const since = facts.memberSince.getTime()
      const times = Math.min(Math.floor((atMs - since) / periodMs), repeats ? Number.POSITIVE_INFINITY : 1)
      // Goals reached before the rule was made are not paid.
      if (times < 1 || since + times * periodMs < rule.createdAt.getTime()) return undefined
      return repeats ? `${recipient.id} ${times}` : recipient.id
    }
    case 'reaction':
      if (what.kind !== 'reaction' || !mayPayFor(rule, what)) return undefined
      return repeats ? perPeriod : what.message
    case 'solved':
      return what.kind === 'solved' ? what.thread : undefined
    default:
      return trigger satisfies never
  }
}
