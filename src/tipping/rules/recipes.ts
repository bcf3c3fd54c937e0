/**
 * The kind of event for which a rule pays. `role` and `days` are checked when a member writes a message, which shows
 * the member's roles and the time of joining. A `reaction` must come from a moderator. `solved` is a ✅ by a moderator
 * or by the person who started the thread.
 */
export type Trigger = 'role' | 'days' | 'reaction' | 'solved'

export interface Recipe {
  readonly trigger: Trigger
  /**
   * The number of days between two rewards of one person; for the trigger `days`, the age of a membership, or the
   * interval between its rewards. Undefined if the reward does not depend on a number of days.
   */
  readonly days?: number
  /** Whether the reward is repeated after every interval of `days`. */
  readonly repeats?: true
  /** The default emoji for moderators' reactions. */
  readonly emoji?: string
}

/** The recipes for rules. docs/REWARDS.md explains each of them. */
export const RECIPES = {
  'role-welcome': { trigger: 'role' },
  'role-weekly': { trigger: 'role', days: 7, repeats: true },
  'role-monthly': { trigger: 'role', days: 30, repeats: true },
  'first-week': { trigger: 'days', days: 7 },
  'first-month': { trigger: 'days', days: 30 },
  birthday: { trigger: 'days', days: 365, repeats: true },
  solved: { trigger: 'solved' },
  'good-post': { trigger: 'reaction', emoji: '🏅' },
  'bug-report': { trigger: 'reaction', emoji: '🐛' },
  'daily-thanks': { trigger: 'reaction', emoji: '🙏', days: 1, repeats: true },
} as const satisfies Record<string, Recipe>

export type RecipeName = keyof typeof RECIPES
export const RECIPE_NAMES = Object.keys(RECIPES) as readonly RecipeName[]

const TERMS = ['role', 'days', 'emoji'] as const

/** Returns the first given term that the recipe does not use; undefined if the recipe uses all given terms. */
export function unusedTerm(
  name: RecipeName,
  given: { readonly [Term in (typeof TERMS)[number]]?: unknown },
): (typeof TERMS)[number] | undefined {
  const recipe: Recipe = RECIPES[name]
  const uses = { role: recipe.trigger === 'role', days: recipe.days !== undefined, emoji: recipe.emoji !== undefined }
  return TERMS.find((term) => given[term] !== undefined && !uses[term])
}
