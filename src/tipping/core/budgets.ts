import type { CoreContext } from './context.ts'
import type { Tx } from './database.ts'

const DAY_MS = 24 * 3_600_000

/** How often a budget begins again. */
export const PERIODS = ['day', 'week', 'month'] as const
export type Period = (typeof PERIODS)[number]

/** The budgets that paid a reward, so it can be returned. */
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
 * By whose day, week or month a pool's budgets are counted: the book's own time. So a wall clock that is set, forward or back, gives nobody a
 * second budget. Where the book lags behind after a long stop, a budget begins again as much later.
 */
export function budgetTime({ clockWatch }: Pick<CoreContext, 'clockWatch'>): Date {
  return new Date(clockWatch.now())
}

/** Since when a sum of 24 hours counts: by the earlier of two clocks, since what it counts was written by the wall clock. */
export function lastDay({ clockWatch }: Pick<CoreContext, 'clockWatch'>): Date {
  return new Date(clockWatch.earliest() - DAY_MS)
}

/** The usage of a rule's budget in the month of a moment. */
export function ruleBudget(rule: string, at: Date): BudgetUse {
  return { budgetKey: `rule:${rule}`, budgetDay: periodAt('month', at).name }
}

/** Gives back what a reward that came to nothing had taken: the moderator's budget, and its rule's. */
export async function restoreBudgets(tx: Tx, reward: Budgeted, amount: bigint): Promise<void> {
  for (const { budgetKey: key, budgetDay: day } of usesOf(reward)) {
    await tx.usage.updateMany({ where: { key, day, used: { gte: amount } }, data: { used: { decrement: amount } } })
  }
}

/** Takes from the same budgets again, whatever they have left: it was paid after all. */
export async function takeBudgetsAgain(tx: Tx, reward: Budgeted, amount: bigint): Promise<void> {
  for (const { budgetKey: key, budgetDay: day } of usesOf(reward)) {
    await tx.usage.updateMany({ where: { key, day }, data: { used: { increment: amount } } })
  }
}

function usesOf(reward: Budgeted): BudgetUse[] {
  return [reward, ...(reward.rule === null ? [] : [ruleBudget(reward.rule, reward.createdAt)])]
}

/** The period that a moment is in (UTC; weeks begin on Monday), and when the next one begins. */
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
