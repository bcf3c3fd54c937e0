import type { RuleReward } from '../judge/rules.ts'
import type { SimWorld } from '../world/world.ts'

const REWARDS = `SELECT r."id", r."rule", r."requester", r."recipient", r."amount", r."state", o."interaction", r."createdAt"
  FROM "Reward" r JOIN "Operation" o ON o."id" = r."id" WHERE r."rule" IS NOT NULL`

type Row = Omit<RuleReward, 'month'> & { readonly createdAt: string | number | bigint | Date }

/**
 * Lets the judge check every reward that a rule paid. Nobody requested these rewards, so a reward that a process did
 * not report before it died is only in the book. The events decide whether each reward was right.
 */
export function noteRuleRewards({ judge, model, botBook }: SimWorld): void {
  const rows = botBook.rows<Row>(REWARDS)
  const monthOf = (at: Row['createdAt']) =>
    new Date(typeof at === 'bigint' ? Number(at) : at).toISOString().slice(0, 'YYYY-MM'.length)
  judge.rules.judge(rows.map(({ createdAt, ...reward }) => ({ ...reward, month: monthOf(createdAt) })))
  for (const { id, recipient, amount } of rows) {
    if (model.rewards.has(id)) continue
    judge.shown.rewards.set(id, undefined)
    model.rewards.set(id, { recipient, amount, state: 'asked', isGift: false })
  }
}
