import type { CoreContext } from './context.ts'
import type { Tx } from './database.ts'

const DAY_MS = 24 * 3_600_000

/** How often a budget is renewed. */
export const PERIODS = ['day', 'week', 'month'] as const
export type Period = (typeof PERIODS)[number]

/** The budgets that paid a reward, so that its amount can be returned to them. */
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
 * Returns the time that decides a budget's day, week or month: the book's own time. So nobody gets a second budget when
 * a wall clock is set forward or back. If the book lags after a long stop, the next budget starts later by as much.
 */
export function budgetTime({ clockWatch }: Pick<CoreContext, 'clockWatch'>): Date {
  return new Date(clockWatch.now())
}

/**
 * Returns the start of a sum over 24 hours. It uses the earlier of two clocks, because the counted records were written
 * by the wall clock.
 */
export function lastDay({ clockWatch }: Pick<CoreContext, 'clockWatch'>): Date {
  return new Date(clockWatch.earliest() - DAY_MS)
}

/** Returns the usage of a rule's budget in a moment's month. */
export function ruleBudget(rule: string, at: Date): BudgetUse {
  return { budgetKey: `rule:${rule}`, budgetDay: periodAt('month', at).name }
}

/** Returns what an unpaid reward took from the moderator's budget and its rule's. */
export async function restoreBudgets(tx: Tx, reward: Budgeted, amount: bigint): Promise<void> {
  for (const { budgetKey: key, budgetDay: day } of usesOf(reward)) {
    await tx.usage.updateMany({ where: { key, day, used: { gte: amount } }, data: { used: { decrement: amount } } })
  }
}

/** Deducts a reward from the same budgets again, even if they are used up, because it was paid after all. */
export async function takeBudgetsAgain(tx: Tx, reward: Budgeted, amount: bigint): Promise<void> {
  for (const { budgetKey: key, budgetDay: day } of usesOf(reward)) {
    await tx.usage.updateMany({ where: { key, day }, data: { used: { increment: amount } } })
  }
}

function usesOf(reward: Budgeted): BudgetUse[] {
  return [reward, ...(reward.rule === null ? [] : [ruleBudget(reward.rule, reward.createdAt)])]
}

/** Returns the period of a moment (UTC; weeks begin on Monday), and the start of the next one. */
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
