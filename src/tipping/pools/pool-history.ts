import type { HistoryLine } from '../../ledger/ledger.ts'
import { type Msats, msats } from '../../lib/money/amount.ts'
import { pool } from '../core/chart-of-accounts.ts'
import { logModeration } from '../engine/moderation-log/log-moderation.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Fundraiser, PoolGift, Reward } from '../generated/client.ts'
import type { PoolLine, Pools } from './pools.ts'

const PAGE = 500

/** What moved in a pool since then, newest first. */
export async function poolHistory(context: TippingContext, guild: string, since: Date): Promise<PoolLine[]> {
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

/** Everything, oldest first. */
export async function exportPool(
  context: TippingContext,
  { guild, member }: Parameters<Pools['export']>[0],
): Promise<PoolLine[]> {
  const lines = await poolHistory(context, guild, new Date(0))
  await context.commit({
    write: (tx) => logModeration(context, tx, { guild, member, action: 'export', about: { lines: lines.length } }),
  })
  return lines.reverse()
}

interface Records {
  readonly fundraisers: ReadonlyMap<string, Fundraiser>
  readonly gifts: ReadonlyMap<string, PoolGift>
  readonly rewards: ReadonlyMap<string, Reward>
}

async function recordsOf({ database }: TippingContext, lines: readonly HistoryLine[]): Promise<Records> {
  const where = { id: { in: [...new Set(lines.map(({ operation }) => operation))] } }
  const [fundraisers, gifts, rewards] = await Promise.all([
    // Stryker disable next-line ObjectLiteral: spares reading other rows: each is looked up by its id afterwards, and the others are left alone.
    database.read.fundraiser.findMany({ where }),
    // Stryker disable next-line ObjectLiteral: spares reading other rows: each is looked up by its id afterwards, and the others are left alone.
    database.read.poolGift.findMany({ where }),
    // Stryker disable next-line ObjectLiteral: spares reading other rows: each is looked up by its id afterwards, and the others are left alone.
    database.read.reward.findMany({ where }),
  ])
  return { fundraisers: byId(fundraisers), gifts: byId(gifts), rewards: byId(rewards) }
}

function byId<Row extends { id: string }>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.id, row]))
}

function told(line: HistoryLine, balance: Msats, { fundraisers, gifts, rewards }: Records): PoolLine {
  const { at, amount, operation, step } = line
  const reward = rewards.get(operation)
  const gift = gifts.get(operation)
  const fundraiser = fundraisers.get(operation)
  const shared = { at, amount, balance, operation, recipient: reward?.recipient, reason: reward?.reason }
  if (reward !== undefined) {
    const what = step === 'reserve' ? 'asked' : step === 'void' ? 'returned' : 'reward'
    return { ...shared, what, member: reward.requester }
  }
  // Who paid from outside is not known; who opened it is.
  if (fundraiser !== undefined) return { ...shared, what: 'charge', member: fundraiser.member }
  return { ...shared, what: gift === undefined ? 'other' : 'gift', member: gift?.member }
}
