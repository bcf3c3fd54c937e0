import { type Msats, msats } from '../../../lib/money/amount.ts'
import { now } from '../../core/context.ts'
import type { Tx } from '../../core/database.ts'
import { TippingRefusal } from '../../core/tipping-refusal.ts'
import type { TippingContext } from '../tipping-context.ts'

const DAY_MS = 24 * 3_600_000

/** How often a budget begins again. */
export const PERIODS = ['day', 'week', 'month'] as const
export type Period = (typeof PERIODS)[number]

/** What a reward was taken from, so that it can be given back. */
export interface BudgetUse {
  readonly budgetKey: string
  readonly budgetDay: string
}

interface Use {
  readonly guild: string
  readonly member: string
  /** Ids of the member's roles there. */
  readonly roles: readonly string[]
  readonly amount: Msats
}

/**
 * Takes an amount out of what a member may still give, in the transaction that sets it aside. Of several budgets the one
 * with the most left counts. Throws TippingRefusal `budget-none` or `budget-exhausted`; then nothing is written.
 */
export async function useBudget(context: TippingContext, tx: Tx, use: Use): Promise<BudgetUse> {
  const { guild, member, roles, amount } = use
  const at = now(context)
  // Everybody has the role that bears the server's own id.
  const budgets = await tx.budget.findMany({ where: { guild, role: { in: [...roles, guild] } } })
  const lines = await Promise.all(
    budgets.map(async ({ role, amount: cap, period }) => {
      const key = `reward:${guild}:${role}:${member}`
      const { name: day, until } = periodAt(period as Period, at)
      const used = (await tx.usage.findFirst({ where: { key, day } }))?.used ?? 0n
      return { key, day, until, cap, used, left: used < cap ? cap - used : 0n }
    }),
  )
  const [best] = lines.sort((one, other) => Number(other.left - one.left))
  if (best === undefined) throw new TippingRefusal('budget-none', {})
  const { key, day, cap, used, left, until } = best
  if (amount > left) throw new TippingRefusal('budget-exhausted', { cap: msats(cap), left: msats(left), until })
  const values = { used: used + amount, cap }
  await tx.usage.upsert({ where: { key_day: { key, day } }, create: { key, day, ...values }, update: values })
  return { budgetKey: key, budgetDay: day }
}

/** The usage of a rule's budget in the month of a moment. */
export function ruleBudget(rule: string, at: Date): BudgetUse {
  return { budgetKey: `rule:${rule}`, budgetDay: periodAt('month', at).name }
}

/** Gives back what a reward that came to nothing had taken. */
export async function restoreBudget(tx: Tx, { budgetKey: key, budgetDay: day }: BudgetUse, amount: bigint) {
  await tx.usage.updateMany({ where: { key, day, used: { gte: amount } }, data: { used: { decrement: amount } } })
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
