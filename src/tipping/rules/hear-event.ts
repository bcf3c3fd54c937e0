import { budgetTime, ruleBudget } from '../core/budgets.ts'
import { type Book, now, type ReadonlyBook } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { isBlocked } from '../engine/preferences/blocked.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Rule } from '../generated/client.ts'
import { giveReward } from '../rewards/give-reward.ts'
import type { RewardView } from '../rewards/rewards.ts'
import { stopOwnerless } from './change-rules.ts'
import { eventKey, mayPayFor } from './match-rule.ts'
import type { RuleBook } from './rule-book.ts'
import type { RuleEvent } from './rules.ts'

/**
 * Makes a server's rules pay for an event in the server. Each rule pays for an event only once, because the operation's
 * key contains the event's key. Rules pay no bots, nobody for their own rule or their own action, nobody with a new
 * account, and nobody whom the server has excluded. If a rule cannot make a payment, the refusal is noted on the rule.
 */
export async function hearEvent(context: TippingContext, book: RuleBook, event: RuleEvent): Promise<RewardView[]> {
  const { recipient, what } = event
  if (recipient.bot || (what.kind !== 'seen' && what.by === recipient.id)) return []
  const rules = book.of(event.guild).filter((rule) => rule.owner !== recipient.id && mayPayFor(rule, what))
  if (rules.length === 0) return []
  const facts = await event.facts()
  if (facts === undefined) return []
  const dues = rules.flatMap((rule): Due[] => {
    const key = eventKey(rule, event, facts, context.clock.now())
    return key === undefined || book.isDone(rule, key) ? [] : [{ rule, key, event }]
  })
  // Most events end here, without any query.
  if (dues.length === 0) return []
  const { id } = recipient
  if (isBlocked(await context.preferences.inForce(event.guild), { id, roles: facts.roles })) return []
  const given: RewardView[] = []
  for (const due of dues) {
    const reward = await pay(context, book, due)
    if (reward !== undefined) given.push(reward)
  }
  return given
}

interface Due {
  readonly rule: Rule
  readonly key: string
  readonly event: RuleEvent
}

async function pay(context: TippingContext, book: RuleBook, due: Due): Promise<RewardView | undefined> {
  const { rule, key, event } = due
  if (rule.state === 'trial') {
    await count(context, due)
    book.note(rule, key, 'paid')
    return undefined
  }
  const roles = await event.moderator(rule.owner)
  if (roles === undefined) {
    await stopOwnerless(context, book, { rule: rule.id, guild: rule.guild, member: rule.owner })
    return undefined
  }
  try {
    const reward = await giveReward(context, commandOf(due, roles), {
      kind: 'rule',
      id: rule.id,
      event: key,
      take: takes(context, rule),
    })
    book.note(rule, key, 'paid')
    return reward
  } catch (error) {
    if (!(error instanceof TippingRefusal)) throw error
    book.note(rule, key, 'later')
    if (error.code === 'rule-budget-spent') book.rest(rule)
    await noteTrouble(context, rule, error.code)
    return undefined
  }
}

function commandOf({ rule, key, event }: Due, roles: readonly string[]) {
  const { guild, channel, locale, recipient: to } = event
  const origin = { interaction: `rule ${rule.id} ${key}`, guild, channel, reply: '', locale }
  return { guild, member: rule.owner, roles, to, amount: `${rule.amount} msats`, reason: rule.reason, origin }
}

/**
 * Returns a function that, in the paying transaction, checks that the rule is still active, and charges the amount to
 * the rule's monthly budget.
 */
function takes(context: ReadonlyBook, { id, amount, budget }: Rule): (tx: Tx) => Promise<void> {
  return async (tx) => {
    const stored = await tx.rule.findUnique({ where: { id } })
    if (stored?.state !== 'on') throw new TippingRefusal('rule-not-found', {})
    const { budgetKey: key, budgetDay: day } = ruleBudget(id, budgetTime(context))
    const used = ((await tx.usage.findFirst({ where: { key, day } }))?.used ?? 0n) + amount
    if (used > budget) throw new TippingRefusal('rule-budget-spent', {})
    const values = { used, cap: budget }
    await tx.usage.upsert({ where: { key_day: { key, day } }, create: { key, day, ...values }, update: values })
    if (stored.trouble !== null) await tx.rule.update({ where: { id }, data: { trouble: null } })
  }
}

/** Counts an event once for a rule on trial. Nothing moves. */
async function count(context: Book, { rule, key: event, event: { recipient } }: Due): Promise<void> {
  const trial = { ruleId: rule.id, event, recipient: recipient.id, createdAt: now(context) }
  await context.commit({
    write: async (tx) => {
      const where = { ruleId_event: { ruleId: rule.id, event } }
      await tx.ruleTrial.upsert({ where, create: trial, update: {} })
    },
  })
}

async function noteTrouble(context: Book, { id }: Rule, trouble: string): Promise<void> {
  await context.commit({
    write: (tx) =>
      tx.rule.updateMany({
        where: { id, state: 'on', OR: [{ trouble: null }, { trouble: { not: trouble } }] },
        data: { trouble },
      }),
  })
}
