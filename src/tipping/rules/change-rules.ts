import { type CoreContext, now } from '../core/context.ts'
import { readEmoji } from '../core/emoji.ts'
import { readAmount } from '../core/read-amount.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { logModeration } from '../engine/moderation-log/log-moderation.ts'
import { operationRow } from '../engine/once-only/once-only.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { MAX_REWARD_REASON } from '../rewards/rewards.ts'
import { RECIPES, type Recipe } from './recipes.ts'
import type { RuleBook } from './rule-book.ts'
import { type CreateRule, MAX_RULES, type RuleDecision, type RuleView } from './rules.ts'
import { findRule, viewRule } from './view-rule.ts'

const MAX_DAYS = 3_650

/**
 * Creates a rule. Throws TippingRefusal for a wrong amount, `rule-needs-role`, `rule-emoji`, `rule-days`,
 * `rule-budget-small`, `rule-too-many`, `reason-missing` or `text-too-long`.
 */
export async function createRule(context: TippingContext, book: RuleBook, command: CreateRule): Promise<RuleView> {
  const { guild, member, interaction, recipe, trial } = command
  const terms = readTerms(context, command)
  const content = [guild, member, recipe, trial, ...Object.values(terms).map(String)]
  const id = await context.once.perform({ interaction, verb: 'rule', content }, async (digest) => {
    const [rule, at] = [context.entropy.uuid(), now(context)]
    const state = trial ? 'trial' : 'on'
    await context.commit({
      rows: [operationRow({ id: rule, verb: 'rule', record: rule, interaction, digest, createdAt: at })],
      write: async (tx) => {
        const running = await tx.rule.count({ where: { guild, state: { not: 'stopped' } } })
        if (running >= MAX_RULES) throw new TippingRefusal('rule-too-many', { most: MAX_RULES })
        await tx.rule.create({ data: { id: rule, guild, owner: member, recipe, ...terms, state, createdAt: at } })
        const about = { rule, recipe, ...terms, state }
        await logModeration(context, tx, { guild, member, action: 'rule', about })
      },
    })
    return rule
  })
  await book.load()
  return await viewRule(context, id)
}

function readTerms(context: CoreContext, command: CreateRule) {
  const recipe: Recipe = RECIPES[command.recipe]
  const { minAmount: smallest, maxAmount: largest } = context.settings
  const bounds = { smallest, largest, rates: context.rates }
  const [amount, budget] = [readAmount(command.amount, bounds), readAmount(command.budget, bounds)]
  if (budget < amount) throw new TippingRefusal('rule-budget-small', { amount })
  const role = recipe.trigger === 'role' ? command.role : undefined
  if (recipe.trigger === 'role' && role === undefined) throw new TippingRefusal('rule-needs-role', {})
  const days = recipe.days === undefined ? null : (command.days ?? recipe.days)
  if (days !== null && !(Number.isSafeInteger(days) && days >= 1 && days <= MAX_DAYS)) {
    throw new TippingRefusal('rule-days', { most: MAX_DAYS })
  }
  const emoji = recipe.emoji === undefined ? null : readEmoji(command.emoji ?? recipe.emoji)
  const reason = command.reason.trim()
  if (reason === '') throw new TippingRefusal('reason-missing', {})
  if (reason.length > MAX_REWARD_REASON) {
    throw new TippingRefusal('text-too-long', { what: 'reason', most: MAX_REWARD_REASON })
  }
  return { amount, budget, role: role ?? null, days, emoji, reason }
}

/** Starts a rule. Throws TippingRefusal `rule-not-found` or `rule-too-many`. Leaves an active rule as it is. */
export async function startRule(context: TippingContext, book: RuleBook, decision: RuleDecision): Promise<RuleView> {
  const { rule: id, guild, member } = decision
  await context.commit({
    write: async (tx) => {
      const { state } = await findRule(tx, decision)
      if (state === 'on') return
      const running = await tx.rule.count({ where: { guild, state: { not: 'stopped' } } })
      if (state === 'stopped' && running >= MAX_RULES) throw new TippingRefusal('rule-too-many', { most: MAX_RULES })
      const data = { state: 'on', owner: member, stoppedBy: null, trouble: null }
      await tx.rule.update({ where: { id }, data })
      await logModeration(context, tx, { guild, member, action: 'rule-started', about: { rule: id } })
    },
  })
  book.forget(id)
  await book.load()
  return await viewRule(context, id)
}

/** Stops a rule. Throws TippingRefusal `rule-not-found`. Leaves a stopped rule as it is. */
export async function stopRule(context: TippingContext, book: RuleBook, decision: RuleDecision): Promise<RuleView> {
  await stop(context, decision, decision.member)
  await book.load()
  return await viewRule(context, decision.rule)
}

/** Stops a rule whose owner may no longer give rewards, because nobody is responsible for the rule any more. */
export async function stopOwnerless(context: TippingContext, book: RuleBook, decision: RuleDecision): Promise<void> {
  await stop(context, decision, null)
  await book.load()
}

async function stop(context: TippingContext, decision: RuleDecision, stoppedBy: string | null): Promise<void> {
  const { rule: id, guild, member } = decision
  await context.commit({
    write: async (tx) => {
      const { state } = await findRule(tx, decision)
      if (state === 'stopped') return
      await tx.rule.update({ where: { id }, data: { state: 'stopped', stoppedBy } })
      const about = { rule: id, ...(stoppedBy === null && { why: 'its owner is no longer allowed to give rewards' }) }
      await logModeration(context, tx, { guild, member, action: 'rule-stopped', about })
    },
  })
}
