import type { ExportReading } from '../engine/export-reading.ts'
import type { BookedReason } from './history.ts'

/**
 * Returns the reasons for gifts and vouchers, by operation (empty if nobody gave one), with the rule or API key that
 * paid.
 */
export async function reasonsOf(
  { database: { read } }: ExportReading,
  member: string,
  operations: readonly string[],
): Promise<ReadonlyMap<string, BookedReason>> {
  const where = { id: { in: [...operations] } }
  const [paid, payments, vouchers, batches] = await Promise.all([
    read.tipShare.findMany({ where, select: { id: true, tipId: true, tip: { select: { note: true } } } }),
    read.walletPayment.findMany({ where, select: { id: true, tipId: true, tip: { select: { note: true } } } }),
    read.voucher.findMany({ where: { ...where, member }, select: { id: true, description: true } }),
    read.voucherBatch.findMany({ where: { ...where, member }, select: { id: true, description: true } }),
  ])
  const shares = [...paid, ...payments]
  const meant = { in: [...new Set(shares.flatMap(({ id, tipId }) => [id, tipId]))] }
  const parts = { id: true, record: true, reason: true, rule: true, apiKey: true } as const
  const select = { ...parts, shares: { where: { recipient: member } } } as const
  // Two queries, because Prisma splits one long list of ids, but not two in one query.
  const found = await Promise.all([
    read.reward.findMany({ where: { id: meant }, select }),
    read.reward.findMany({ where: { record: meant }, select }),
  ])
  const rewards = found.flat()
  const rules = await read.rule.findMany({
    where: { id: { in: rewards.flatMap(({ rule }) => (rule === null ? [] : [rule])) } },
    select: { id: true, recipe: true },
  })
  const keys = await read.apiKey.findMany({
    where: { id: { in: rewards.flatMap(({ apiKey }) => (apiKey === null ? [] : [apiKey])) } },
    select: { id: true, name: true },
  })
  const names = new Map(keys.map(({ id, name }) => [id, name]))
  const recipes = new Map(rules.map(({ id, recipe }) => [id, recipe]))
  const byRecord = new Map(rewards.flatMap((reward) => [reward.id, reward.record].map((id) => [id, reward] as const)))
  const told = new Map<string, BookedReason>()
  for (const { id, description } of [...vouchers, ...batches])
    told.set(id, { reason: description, rule: undefined, apiKey: undefined })
  for (const { id, tipId, tip } of shares) {
    const reward = byRecord.get(id) ?? byRecord.get(tipId)
    const reason = reward?.shares[0]?.reason ?? reward?.reason ?? tip.note ?? ''
    told.set(id, { reason, rule: recipes.get(reward?.rule ?? ''), apiKey: names.get(reward?.apiKey ?? '') })
  }
  return told
}
