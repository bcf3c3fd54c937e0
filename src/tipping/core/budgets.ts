import type { CoreContext } from './context.ts'
import type { Tx } from './database.ts'

const DAY_MS = 24 * 3_600_000

/** The periods after which a budget can be renewed. */
export const PERIODS = ['day', 'week', 'month'] as const
export type Period = (typeof PERIODS)[number]

/** The budget that paid a reward, and its period, so that the reward's amount can be returned to that budget. */
export interface BudgetUse {
  readonly budgetKey: string
  readonly budgetDay: string
}

/** The columns of a stored reward that name its budgets. */
interface Budgeted extends BudgetUse {
  readonly rule: string | null
  readonly createdAt: Date
}

/**
 * Returns the time that decides a budget's day, week or month: the book's own time, so that nobody gets a second budget
 * when a wall clock is set forward or back. If the book's time lags after a long stop, the next budget starts that much
 * later.
 */
export function budgetTime({ clockWatch }: Pick<CoreContext, 'clockWatch'>): Date {
  return new Date(clockWatch.now())
}

/**
 * Returns when the last 24 hours began, for sums over that time. The earlier of two clocks is used, because the counted
 * records bear the wall clock's time.
 */
export function lastDay({ clockWatch }: Pick<CoreContext, 'clockWatch'>): Date {
  return new Date(clockWatch.earliest() - DAY_MS)
}

/** Returns the key of a rule's budget, and the name of the month that contains a moment. */
export function ruleBudget(rule: string, at: Date): BudgetUse {
  return { budgetKey: `rule:${rule}`, budgetDay: periodAt('month', at).name }
}

/**
 * Gives an unpaid reward's amount back to the moderator's budget and, if a rule gave the reward, to the rule's budget.
 */
export async function restoreBudgets(tx: Tx, reward: Budgeted, amount: bigint): Promise<void> {
  for (const { budgetKey: key, budgetDay: day } of usesOf(reward)) {
    await tx.usage.updateMany({ where: { key, day, used: { gte: amount } }, data: { used: { decrement: amount } } })
  }
}

/** Deducts a reward from the same budgets again, even if they are used up, because the reward was paid after all. */
export async function takeBudgetsAgain(tx: Tx, reward: Budgeted, amount: bigint): Promise<void> {
  for (const { budgetKey: key, budgetDay: day } of usesOf(reward)) {
    await tx.usage.updateMany({ where: { key, day }, data: { used: { increment: amount } } })
  }
}

function usesOf(reward: Budgeted): BudgetUse[] {
  return [reward, ...(reward.rule === null ? [] : [ruleBudget(reward.rule, reward.createdAt)])]
}

/**
 * Returns the name of the period that contains a moment (UTC; weeks begin on Monday), and when the next period starts.
 */
export function periodAt(period: Period, at: Date): { name: string; until: Date } {
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()]
  const today = Date.UTC(year, month, at.getUTCDate())
  const name = at.toISOString()
  switch (period) {
    case 'day':
      return { name: name.slice(0, 10), until: new Date(today + DAY_MS) }
    case 'week': {
      const monday = today - ((at.getUTCDay() + 6) % 7) * DAY_MS
      return { name: `week of ${new Date(monday).toISOString().slice(0, 10)}`, until: new Date(monday + 7 * DAY_MS) }
    }
    case 'month':
      return { name: name.slice(0, 7), until: new Date(Date.UTC(year, month + 1, 1)) }
    default:
      return period satisfies never
  }
}
