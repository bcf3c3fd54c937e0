/**
 * When a rule pays. `seen`: a member writes a message, which shows their roles and the time they joined. A reaction is a
 * moderator's; `solved` is a ✅ by a moderator or by the person who began the thread.
 */
export type Trigger = 'role' | 'days' | 'reaction' | 'solved'

export interface Recipe {
  readonly trigger: Trigger
  /** Days between two rewards of one person; for `days`: the age of a membership, or of each of its birthdays. Undefined: once for all. */
  readonly days?: number
  /** Whether `days` come again and again. */
  readonly repeats?: true
  /** The default emoji of moderators. */
  readonly emoji?: string
}

/** Rules as they are offered. docs/REWARDS.md has each in plain words. */
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
