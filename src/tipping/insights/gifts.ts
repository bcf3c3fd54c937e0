import { Sql } from '@prisma/client/runtime/client'

/**
 * Builds a query about the gifts in a server since a given time. `question` may use "gift", a table with one row for
 * each gift: `giver` (null for a pool's gift), `named` (the same, but also null if the gift is anonymous), `getter`
 * (null until a newcomer has claimed it), `amount` in msats, `at`. The table contains tips, rain, rewards, drops'
 * shares and giveaways' prizes (payments by wallets only after they are proven). It excludes sums that went back to
 * their giver.
 */
export function aboutGifts(guild: string, since: Date, question: string): Sql {
  // In Prisma's format, because times are compared as text.
  const from = since.toISOString().replace('Z', '+00:00')
  const table = gifts((server, at) => `${server} = ? AND ${at} >= ?`)
  // Read once, however often the query uses it.
  const parts = `WITH "gift" AS MATERIALIZED (${table}) `.split('?')
  parts.push(`${parts.pop() ?? ''}${question}`)
  return new Sql(
    parts,
    parts.slice(1).map((_, place) => (place % 2 === 0 ? guild : from)),
  )
}

/** The time when a drop's share was given. A tip counts at its own time, even if it is claimed or paid later. */
const OF_DROP = 'CASE WHEN d."draw" THEN d."closedAt" ELSE c."createdAt" END'

/** The gifts of all servers, ordered by server and time: "guild", "at", "giver", "named", "getter", "amount". */
export const ALL_GIFTS = `${gifts((server, at) => `${server} IS NOT NULL AND ${at} IS NOT NULL`)} ORDER BY "guild", "at"`

function gifts(where: (server: string, at: string) => string): string {
  return `
    SELECT t."guild" AS "guild", t."createdAt" AS "at", CASE WHEN t."pool" IS NULL THEN t."sender" END AS "giver",
      CASE WHEN t."pool" IS NULL AND NOT t."anonymous" THEN t."sender" END AS "named",
      CASE WHEN s."state" IN ('credited', 'claimed') THEN s."recipient" END AS "getter", s."amount" AS "amount"
    FROM "Tip" AS t JOIN "TipShare" AS s ON s."tipId" = t."id"
    WHERE s."state" <> 'returned' AND ${where('t."guild"', 't."createdAt"')}
    UNION ALL
    SELECT t."guild", t."createdAt", CASE WHEN t."pool" IS NULL THEN w."sender" END, CASE WHEN t."pool" IS NULL THEN w."sender" END,
      w."recipient", w."amount"
    FROM "WalletPayment" AS w JOIN "Tip" AS t ON w."tipId" = t."id"
    WHERE w."state" = 'paid' AND ${where('t."guild"', 't."createdAt"')}
    UNION ALL
    SELECT d."guild", ${OF_DROP}, CASE WHEN d."pool" IS NULL THEN d."member" END, CASE WHEN d."pool" IS NULL THEN d."member" END,
      c."member", d."share"
    FROM "Drop" AS d JOIN "DropClaim" AS c ON c."dropId" = d."id" LEFT JOIN "Voucher" AS v ON v."id" = c."voucherId"
    WHERE c."state" = 'given' AND COALESCE(v."state", '') <> 'revoked' AND d."connection" IS NULL
      AND ${where('d."guild"', OF_DROP)}
    UNION ALL
    SELECT g."guild", w."createdAt", CASE WHEN g."pool" IS NULL THEN g."starter" END, CASE WHEN g."pool" IS NULL THEN g."starter" END,
      w."member", g."prize"
    FROM "Giveaway" AS g JOIN "GiveawayWin" AS w ON w."giveawayId" = g."id"
    WHERE ${where('g."guild"', 'w."createdAt"')}`
}
