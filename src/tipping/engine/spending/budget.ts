import { type Msats, msats } from '../../../lib/money/amount.ts'
import { type BudgetUse, budgetTime, type Period, periodAt } from '../../core/budgets.ts'
import type { ReadonlyBook } from '../../core/context.ts'
import type { Tx } from '../../core/database.ts'
import { TippingRefusal } from '../../core/tipping-refusal.ts'

interface Use {
  readonly guild: string
  readonly member: string
  /** The ids of the member's roles in the server. */
  readonly roles: readonly string[]
  readonly amount: Msats
}

/**
 * Deducts an amount from a member's remaining budget, in the transaction that reserves it. Uses the budget that has the
 * most left. Throws TippingRefusal `budget-none` or `budget-exhausted`, and then writes nothing.
 */
export async function useBudget(context: ReadonlyBook, tx: Tx, use: Use): Promise<BudgetUse> {
  const { guild, member, roles, amount } = use
  const at = budgetTime(context)
  // Everybody has the role whose id is the server's own.
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
  if (amount > left) {
    const lag = Math.max(0, context.clock.now() - at.getTime())
    const again = new Date(until.getTime() + lag)
    throw new TippingRefusal('budget-exhausted', { cap: msats(cap), left: msats(left), until: again })
  }
  const values = { used: used + amount, cap }
  await tx.usage.upsert({ where: { key_day: { key, day } }, create: { key, day, ...values }, update: values })
  return { budgetKey: key, budgetDay: day }
}
