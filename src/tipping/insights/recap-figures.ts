import { Sql } from '@prisma/client/runtime/client'
import type { TippingContext } from '../engine/tipping-context.ts'
import { aboutGifts } from './gifts.ts'
import type { RecapPeriod } from './recap-period.ts'

/** The figures of a period's gifts, as the book stores them. Amounts are msats as text. */
export interface RecapFigures {
  readonly gifts: number
  readonly amount: string
  readonly pool: string
  readonly newcomers: number
  /** The most frequent pairs of giver and recipient. */
  readonly thanks: readonly { readonly from: string; readonly to: string; readonly count: number }[]
  /** The givers who gave on the most days (UTC) in a row. */
  readonly streaks: readonly { readonly member: string; readonly days: number }[]
  /** The sum of the gifts on each day, according to the server's clock. */
  readonly days: readonly { readonly date: string; readonly amount: string }[]
}

/** The most lines of each kind that are stored: more than are shown, because somebody may opt out later. */
const MAX_KEPT = 20
/**
 * The most givers whose days are read. Those with the most days come first, because no streak is longer than a giver's
 * number of days.
 */
const MAX_STEADY = 150
/** The most hours that are read; a month has at most 745. */
const MAX_HOURS = 800
const DAY_MS = 24 * 3_600_000
/** The fewest days in a row that count as a streak. */
const MIN_STREAK = 2

/** Reads the figures of a period's gifts in the thread of long queries. Anonymous gifts count, but without a name. */
export async function recapFigures(
  { longQuestions }: Pick<TippingContext, 'longQuestions'>,
  guild: string,
  { from, until, days }: RecapPeriod,
): Promise<RecapFigures> {
  const [rows, welcomed] = await Promise.all([
    longQuestions.ask(aboutGifts(guild, from, questionUntil(until))),
    longQuestions.ask(newcomersOf(guild, from, until)),
  ])
  const lines = rows.map((row) => row.map(String) as [string, string, string, string, string])
  const of = (kind: string) => lines.filter(([each]) => each === kind)
  const [[, , , gifts = '0', amount = '0'] = []] = of('all')
  const [[, , , , pool = '0'] = []] = of('pool')
  return {
    ...{ gifts: Number(gifts), amount, pool, newcomers: Number(welcomed[0]?.[0] ?? 0) },
    thanks: of('thanks').map(([, giver, getter, count]) => ({ from: giver, to: getter, count: Number(count) })),
    streaks: streaksIn(of('day').map(([, member, day]) => ({ member, day }))),
    days: days.map(({ date, begins }, at) => {
      const end = days[at + 1]?.begins ?? until
      const within = of('hour').filter(([, hour]) => isWithin(hour, begins, end))
      return {
        date: date.toISOString(),
        amount: String(within.reduce((sum, [, , , , each]) => sum + BigInt(each), 0n)),
      }
    }),
  }
}

function isWithin(hour: string, begins: Date, end: Date): boolean {
  const at = new Date(`${hour.replace(' ', 'T')}:00:00Z`)
  return at >= begins && at < end
}

/** Returns the condition for rows with a public name on this side, without people who opted out. */
const SHOWN = (side: 'named' | 'getter') =>
  `"${side}" IS NOT NULL AND "${side}" NOT IN (SELECT "id" FROM "Member" WHERE "hidden")`

function questionUntil(until: Date): string {
  // In Prisma's format. A plain Date gives this text.
  const before = `"at" < '${until.toISOString().replace('Z', '+00:00')}'`
  const at = (length: number) => `substr(CAST("at" AS TEXT), 1, ${length})`
  const sums = 'CAST(COUNT(*) AS TEXT), CAST(COALESCE(SUM("amount"), 0) AS TEXT)'
  return [
    `SELECT 'all', '', '', ${sums} FROM "gift" WHERE "giver" IS NOT NULL AND ${before}`,
    `SELECT 'pool', '', '', ${sums} FROM "gift" WHERE "giver" IS NULL AND ${before}`,
    `SELECT * FROM (SELECT 'hour', ${at(13)}, '', ${sums} FROM "gift" WHERE "giver" IS NOT NULL AND ${before}
      GROUP BY 2 LIMIT ${MAX_HOURS}) AS "hours"`,
    `SELECT * FROM (SELECT 'thanks', "named", "getter", ${sums} FROM "gift"
      WHERE ${SHOWN('named')} AND ${SHOWN('getter')} AND ${before}
      GROUP BY "named", "getter" ORDER BY COUNT(*) DESC, "named", "getter" LIMIT ${MAX_KEPT}) AS "pairs"`,
    `SELECT DISTINCT 'day', "named", ${at(10)}, '', '' FROM "gift" WHERE ${before} AND "named" IN (SELECT "named" FROM "gift"
      WHERE ${SHOWN('named')} AND ${before}
      GROUP BY "named" ORDER BY COUNT(DISTINCT ${at(10)}) DESC, "named" LIMIT ${MAX_STEADY})`,
  ].join(' UNION ALL ')
}

/** Builds the query that counts the newcomers who claimed a tip from this server in the period. */
function newcomersOf(guild: string, from: Date, until: Date): Sql {
  const time = (date: Date) => date.toISOString().replace('Z', '+00:00')
  const parts = [
    `SELECT CAST(COUNT(DISTINCT c."member") AS TEXT) FROM "Claim" AS c JOIN "TipShare" AS s ON s."claimId" = c."id"
      JOIN "Tip" AS t ON t."id" = s."tipId" WHERE t."guild" = `,
    ' AND c."createdAt" >= ',
    ' AND c."createdAt" < ',
    '',
  ]
  return new Sql(parts, [guild, time(from), time(until)])
}

/** Returns the longest streaks, at most one for each giver, longest first. */
function streaksIn(gave: readonly { readonly member: string; readonly day: string }[]) {
  const daysOf = new Map<string, number[]>()
  for (const { member, day } of gave) {
    const days = daysOf.get(member) ?? []
    daysOf.set(member, [...days, Date.parse(`${day}T00:00:00Z`) / DAY_MS])
  }
  return [...daysOf]
    .map(([member, days]) => ({ member, days: longestRun(days) }))
    .filter(({ days }) => days >= MIN_STREAK)
    .sort((one, other) => other.days - one.days || (one.member < other.member ? -1 : 1))
    .slice(0, MAX_KEPT)
}

function longestRun(days: readonly number[]): number {
  let [run, longest] = [0, 0]
  let before = Number.NaN
  for (const day of days.toSorted((one, other) => one - other)) {
    run = day === before + 1 ? run + 1 : 1
    longest = Math.max(longest, run)
    before = day
  }
  return longest
}
