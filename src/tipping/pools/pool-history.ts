import type { HistoryLine } from '../../ledger/ledger.ts'
import { type Msats, msats } from '../../lib/money/amount.ts'
import { pool } from '../core/chart-of-accounts.ts'
import type { ExportReading } from '../engine/export-reading.ts'
import { logModeration } from '../engine/moderation-log/log-moderation.ts'
import { valuesOf } from '../engine/prices/noted-prices.ts'
import type { SpendingKind } from '../engine/spending/spending.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Fundraiser, PoolGift, Reward } from '../generated/client.ts'
import type { ExportedPoolLine, PoolLine, Pools } from './pools.ts'

const PAGE = 500

/** Returns a pool's moves since a time, newest first. */
export async function poolHistory(context: ExportReading, guild: string, since: Date): Promise<PoolLine[]> {
  const lines: PoolLine[] = []
  let balance = msats(await context.ledger.balance(pool(guild)))
  for (let before: number | undefined; ; ) {
    const page = await context.ledger.history(pool(guild), { limit: PAGE, ...(before === undefined ? {} : { before }) })
    const recent = page.filter(({ at }) => at >= since)
    const about = await recordsOf(context, recent)
    for (const line of recent) {
      lines.push(told(line, balance, about))
      balance = msats(balance - line.amount)
    }
    before = page.at(-1)?.id
    if (recent.length < PAGE) return lines
  }
}

/**
 * Returns all of a pool's moves with their values, oldest first, and notes the export in the moderation log. `history`
 * returns the moves newest first.
 */
export async function exportPool(
  context: TippingContext,
  { guild, member }: Parameters<Pools['export']>[0],
  history: (guild: string) => Promise<readonly PoolLine[]>,
): Promise<ExportedPoolLine[]> {
  const lines = await history(guild)
  const worth = await valuesOf(context, lines)
  await context.commit({
    write: (tx) => logModeration(context, tx, { guild, member, action: 'export', about: { lines: lines.length } }),
  })
  return lines.toReversed().map((line) => ({ ...line, worth: worth(line) }))
}

interface Records {
  readonly fundraisers: ReadonlyMap<string, Fundraiser>
  readonly gifts: ReadonlyMap<string, PoolGift>
  /** The rewards, by the operations that they concern. */
  readonly rewards: ReadonlyMap<string, Reward>
  /** The recipes of rules, by id. */
  readonly recipes: ReadonlyMap<string, string>
  /** The names of API keys, by id. */
  readonly keys: ReadonlyMap<string, string>
  /** The recipients of tips, by operation. */
  readonly recipients: ReadonlyMap<string, string>
}

async function recordsOf({ database: { read } }: ExportReading, history: readonly HistoryLine[]): Promise<Records> {
  const where = { id: { in: [...new Set(history.map(({ operation }) => operation))] } }
  const [fundraisers, gifts, shares, vouchers, lines] = await Promise.all([
    // Stryker disable next-line ObjectLiteral: avoids reading other rows. Each is looked up by id afterwards, and the
    // others are ignored.
    read.fundraiser.findMany({ where }),
    // Stryker disable next-line ObjectLiteral: avoids reading other rows. Each is looked up by id afterwards, and the
    // others are ignored.
    read.poolGift.findMany({ where }),
    // Stryker disable next-line ObjectLiteral: avoids reading other rows. Each is looked up by id afterwards, and the
    // others are ignored.
    read.tipShare.findMany({ where, select: { id: true, tipId: true, recipient: true } }),
    // Stryker disable next-line ObjectLiteral: avoids reading other rows. Each is looked up by id afterwards, and the
    // others are ignored.
    read.voucher.findMany({ where, select: { id: true, dropId: true, batchId: true } }),
    // Stryker disable next-line ObjectLiteral: avoids reading other rows. Each is looked up by id afterwards, and the
    // others are ignored.
    read.addressLine.findMany({ where, select: { id: true, listId: true } }),
  ])
  // A tip's shares, and the codes of a drop or a batch, are operations of their own.
  const records = new Map(where.id.in.map((id) => [id, id]))
  for (const { id, tipId } of shares) records.set(id, tipId)
  for (const { id, dropId, batchId } of vouchers) records.set(id, dropId ?? batchId ?? id)
  for (const { id, listId } of lines) records.set(id, listId)
  const meant = { in: [...new Set([...records.keys(), ...records.values()])] }
  // Two queries, because Prisma splits one long list of ids, but not two in one query.
  const found = await Promise.all([
    read.reward.findMany({ where: { id: meant } }),
    read.reward.findMany({ where: { record: meant } }),
  ])
  const rewards = found.flat()
  const byRecord = new Map(
    rewards.flatMap((reward) => [[reward.id, reward] as const, [reward.record, reward] as const]),
  )
  const rules = await read.rule.findMany({
    where: { id: { in: rewards.flatMap(({ rule }) => (rule === null ? [] : [rule])) } },
    select: { id: true, recipe: true },
  })
  const keys = await read.apiKey.findMany({
    where: { id: { in: rewards.flatMap(({ apiKey }) => (apiKey === null ? [] : [apiKey])) } },
    select: { id: true, name: true },
  })
  return {
    keys: new Map(keys.map(({ id, name }) => [id, name])),
    recipes: new Map(rules.map(({ id, recipe }) => [id, recipe])),
    fundraisers: byId(fundraisers),
    gifts: byId(gifts),
    rewards: new Map(
      [...records].flatMap(([operation, record]) => {
        const reward = byRecord.get(operation) ?? byRecord.get(record)
        return reward === undefined ? [] : [[operation, reward] as const]
      }),
    ),
    recipients: new Map(shares.map(({ id, recipient }) => [id, recipient])),
  }
}

function byId<Row extends { id: string }>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.id, row]))
}

function told(
  line: HistoryLine,
  balance: Msats,
  { fundraisers, gifts, rewards, recipes, keys, recipients }: Records,
): PoolLine {
  const { at, amount, operation } = line
  const reward = rewards.get(operation)
  const gift = gifts.get(operation)
  const fundraiser = fundraisers.get(operation)
  const recipient = recipients.get(operation) ?? (reward?.recipient || undefined)
  const shared = {
    at,
    amount,
    balance,
    operation,
    recipient,
    reason: reward?.reason,
    rule: recipes.get(reward?.rule ?? ''),
    apiKey: keys.get(reward?.apiKey ?? ''),
  }
  if (reward !== undefined) return { ...shared, what: ofReward(line, reward), member: reward.requester }
  // An outside payer is unknown, but the person who opened it is known.
  if (fundraiser !== undefined) return { ...shared, what: 'charge', member: fundraiser.member }
  if (gift !== undefined) return { ...shared, what: 'gift', member: gift.member }
  return { ...shared, what: line.step === 'void' && amount > 0n ? 'returned' : 'other', member: undefined }
}

function ofReward({ operation, step, amount }: HistoryLine, { id, kind, record }: Reward): PoolLine['what'] {
  const isQuestion = operation === id && record !== id && kind !== 'reward'
  if (amount > 0n) return step === 'approve' || (isQuestion && step === 'post') ? 'approved' : 'returned'
  if (isQuestion || (kind === 'reward' && step !== 'post')) return 'asked'
  return kind as SpendingKind
}
