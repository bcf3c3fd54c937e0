import { msats } from '../../lib/money/amount.ts'
import { budgetTime, ruleBudget } from '../core/budgets.ts'
import type { ReadonlyBook } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { Rule } from '../generated/client.ts'
import type { RecipeName } from './recipes.ts'
import type { RuleDecision, RuleView } from './rules.ts'

export async function viewRule(context: ReadonlyBook, id: string): Promise<RuleView> {
  const rule = await context.database.read.rule.findUnique({ where: { id } })
  if (rule === null) throw new TippingRefusal('rule-not-found', {})
  return await view(context, rule)
}

export async function listRules(context: ReadonlyBook, guild: string): Promise<RuleView[]> {
  const found = await context.database.read.rule.findMany({
    where: { guild },
    orderBy: { createdAt: 'desc' },
    take: 50,
  })
  return await Promise.all(found.map((rule) => view(context, rule)))
}

/** Returns a rule of this server. Throws TippingRefusal `rule-not-found`, also for a rule of another server. */
export async function findRule(client: Pick<Tx, 'rule'>, { rule: id, guild }: RuleDecision): Promise<Rule> {
  const rule = await client.rule.findFirst({ where: { id } })
  if (rule === null || rule.guild !== guild) throw new TippingRefusal('rule-not-found', {})
  return rule
}

async function view(context: ReadonlyBook, rule: Rule): Promise<RuleView> {
  const { id, guild, owner, role, emoji, days, reason, stoppedBy, trouble, createdAt } = rule
  const { read } = context.database
  const { budgetKey: key, budgetDay: day } = ruleBudget(id, budgetTime(context))
  const [usage, given, counted] = await Promise.all([
    read.usage.findFirst({ where: { key, day } }),
    read.reward.count({ where: { rule: id, state: { not: 'denied' } } }),
    read.ruleTrial.count({ where: { ruleId: id } }),
  ])
  return {
    ...{ id, guild, owner, reason, createdAt },
    recipe: rule.recipe as RecipeName,
    role: role ?? undefined,
    emoji: emoji ?? undefined,
    days: days ?? undefined,
    amount: msats(rule.amount),
    budget: msats(rule.budget),
    spent: msats(usage?.used ?? 0n),
    state: rule.state as RuleView['state'],
    stoppedBy: stoppedBy ?? undefined,
    trouble: trouble ?? undefined,
    given: rule.state === 'trial' ? counted : given,
  }
}
