import { msats } from '../../lib/money/amount.ts'
import type { Tx } from '../core/database.ts'
import { readAmount } from '../core/read-amount.ts'
import { logModeration } from '../engine/moderation-log/log-moderation.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { BudgetCommand, BudgetView, Period } from './pools.ts'

export async function setBudget(context: TippingContext, command: BudgetCommand): Promise<readonly BudgetView[]> {
  const { guild, member, role, period } = command
  const { minAmount, maxAmount } = context.settings
  const isNone = /^(none|0)$/i.test(command.amount.trim())
  const amount = isNone
    ? undefined
    : readAmount(command.amount, { smallest: minAmount, largest: maxAmount, rates: context.rates })
  await context.commit({
    write: async (tx) => {
      if (amount === undefined) {
        const { count } = await tx.budget.deleteMany({ where: { guild, role } })
        // Nothing has changed.
        if (count === 0) return
      } else {
        await tx.budget.upsert({
          where: { guild_role: { guild, role } },
          create: { guild, role, amount, period },
          update: { amount, period },
        })
      }
      await logModeration(context, tx, {
        guild,
        member,
        action: 'budget',
        about: { role, amount: amount ?? null, period },
      })
    },
  })
  return await viewBudgets(context.database.read, guild)
}

export async function viewBudgets(client: Pick<Tx, 'budget'>, guild: string): Promise<BudgetView[]> {
  const budgets = await client.budget.findMany({ where: { guild }, orderBy: { role: 'asc' } })
  return budgets.map(({ role, amount, period }) => ({ role, amount: msats(amount), period: period as Period }))
}
