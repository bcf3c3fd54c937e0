import { expect } from 'vitest'
import type { TippingDatabase } from '../../src/tipping/core/database.ts'

interface Returned {
  readonly guild: string
  readonly amount: string
}

/**
 * Checks the moderation logs against the journal: every return to a pool must be in its server's log. While codes or
 * lines are being returned, the log may lack them.
 */
export async function expectReturnsInLog({ read }: Pick<TippingDatabase, 'read'>): Promise<void> {
  // A sum that was only set aside for an approval, and the unused part of a fee limit, are no returns.
  const rows = await read.$queryRaw<Returned[]>`
    SELECT t."owner" AS "guild", CAST(SUM(m."amount") AS TEXT) AS "amount"
    FROM "Move" AS m JOIN "Entry" AS e ON e."id" = m."entryId"
    JOIN "Account" AS f ON f."id" = m."fromId" JOIN "Account" AS t ON t."id" = m."toId"
    WHERE t."kind" = 'pool' AND (f."kind" = 'pot' OR f."kind" = 'held' AND e."step" = 'void'
      OR f."kind" = 'operator' AND e."operation" NOT LIKE 'adopted-%'
      OR f."kind" = 'wallet' AND (e."step" = 'revoked' OR e."operation" IN (SELECT "id" FROM "Decision")))
    GROUP BY 1`
  const logged = await loggedBy(read)
  const way = await onTheWay(read)
  for (const { guild, amount } of rows) {
    const missing = BigInt(amount) - (logged.get(guild) ?? 0n)
    const about = `msats that came back to the pool of ${guild} and are not in its log`
    if (way.has(guild)) expect(missing, about).toBeGreaterThanOrEqual(0n)
    else expect(missing, about).toBe(0n)
  }
  const withReturns = new Set(rows.map(({ guild }) => guild))
  expect([...logged.keys()].filter((guild) => !withReturns.has(guild))).toEqual([])
}

async function loggedBy(read: TippingDatabase['read']): Promise<Map<string, bigint>> {
  const [lines, ofWallets] = await Promise.all([
    read.moderationLogEntry.findMany({ where: { action: { in: ['pool-return', 'deny'] } } }),
    read.reward.findMany({ where: { source: 'wallet' }, select: { id: true } }),
  ])
  const walletRewards = new Set(ofWallets.map(({ id }) => id))
  const sums = new Map<string, bigint>()
  for (const { guild, about } of lines) {
    const { reward = '', amount } = JSON.parse(about) as { reward?: string; amount: string }
    if (!walletRewards.has(reward)) sums.set(guild, (sums.get(guild) ?? 0n) + BigInt(amount))
  }
  return sums
}

/** Resolves to the servers with codes, payments or lines of lists that are still under way from or to their pools. */
async function onTheWay(read: TippingDatabase['read']): Promise<Set<string>> {
  const making = { state: { in: ['reserved', 'sending', 'unknown'] } }
  const [codes, lines, payments] = await Promise.all([
    read.voucher.findMany({ where: { pool: { not: null }, OR: [making, { state: 'live', revoking: true }] } }),
    read.addressLine.findMany({ where: { state: 'waiting' } }),
    read.withdrawal.findMany({ where: { pool: { not: null }, state: { notIn: ['paid', 'returned'] } } }),
  ])
  return new Set([...codes, ...payments].map(({ pool }) => pool ?? '').concat(lines.map(({ guild }) => guild)))
}
