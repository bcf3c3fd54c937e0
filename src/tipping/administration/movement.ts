import { cached } from '../../lib/cached.ts'
import { type Msats, msats, ZERO } from '../../lib/money/amount.ts'
import type { ReadonlyBook } from '../core/context.ts'
import type { BalancePoint, DayOfMovement, Movement } from './administration.ts'

const DAY_MS = 86_400_000
const DAYS = 30
/** The most points in a line of a chart, because a screen shows no more. */
const MAX_POINTS = 120
/** The shortest time between two readings, because their cost grows with the entries of thirty days. */
const CACHE_TTL_MS = 5 * 60_000

/**
 * Creates a function that reads the moves, liabilities and holdings of the last thirty days (UTC), at most every five
 * minutes.
 */
export function createMovement(context: ReadonlyBook): () => Promise<Movement> {
  return cached({ clock: context.clock, ttlMs: CACHE_TTL_MS, maxKeys: 1, read: () => readMovement(context) })
}

async function readMovement(context: ReadonlyBook): Promise<Movement> {
  const today = Math.floor(context.clock.now() / DAY_MS) * DAY_MS
  const begins = Array.from({ length: DAYS }, (_, index) => new Date(today - (DAYS - 1 - index) * DAY_MS))
  const [since = new Date(0)] = begins
  const [lines, points] = await Promise.all([readDays(context, since), readPoints(context, since)])
  const sumOf = (day: string, way: Way): Msats =>
    msats(
      lines
        .filter((line) => line.day === day && line.way === way)
        .reduce((sum, line) => sum + BigInt(line.amount), ZERO as bigint),
    )
  const days = begins.map((at): DayOfMovement => {
    const day = at.toISOString().slice(0, 10)
    return { at, received: sumOf(day, 'received'), sent: sumOf(day, 'sent'), given: sumOf(day, 'given') }
  })
  return { days, points }
}

type Way = 'received' | 'sent' | 'given'

interface Line {
  readonly day: string
  readonly way: Way
  readonly amount: string
}

/**
 * Adds up each day's entries. Sats count as given if they moved from one member to another (also when a newcomer claims
 * them), into a drop's pot or into a pool. A sum that came back to its giver does not count as given. Entries have no
 * index by time, so an earlier audit shows where to begin.
 */
async function readDays({ database: { read } }: ReadonlyBook, since: Date): Promise<Line[]> {
  const before = await read.snapshot.findFirst({ where: { at: { lt: since } }, orderBy: { id: 'desc' } })
  return await read.$queryRaw<Line[]>`
    SELECT substr(CAST(e."at" AS TEXT), 1, 10) AS "day", w."way" AS "way", CAST(SUM(m."amount") AS TEXT) AS "amount"
    FROM "Entry" AS e JOIN "Move" AS m ON m."entryId" = e."id"
    JOIN "Account" AS f ON f."id" = m."fromId" JOIN "Account" AS t ON t."id" = m."toId"
    JOIN (SELECT 'received' AS "way" UNION ALL SELECT 'sent' UNION ALL SELECT 'given') AS w ON CASE w."way"
      WHEN 'received' THEN f."kind" = 'wallet'
      WHEN 'sent' THEN t."kind" = 'wallet'
      ELSE f."kind" = 'member' AND t."kind" IN ('member', 'pot', 'pool')
        OR f."kind" = 'held' AND t."kind" = 'member' AND f."owner" <> t."owner" AND f."owner" NOT LIKE 'pool:%' END
    WHERE e."id" > ${before?.lastEntry ?? 0} GROUP BY 1, 2`
}

/** Reads the liabilities and holdings that audits found, evenly thinned. Always includes the newest. */
async function readPoints({ database: { read } }: ReadonlyBook, since: Date): Promise<BalancePoint[]> {
  const snapshots = await read.snapshot.findMany({
    where: { at: { gte: since } },
    orderBy: { id: 'desc' },
    select: { at: true, total: true, wallet: true },
  })
  const every = Math.ceil(snapshots.length / MAX_POINTS)
  return snapshots
    .filter((_, index) => index % every === 0)
    .map(({ at, total, wallet }) => ({ at, owed: msats(total), wallet: wallet === null ? undefined : msats(wallet) }))
    .reverse()
}
