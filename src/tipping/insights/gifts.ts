import { Sql } from '@prisma/client/runtime/client'

/**
 * A question about what people gave each other in a server since a time. It may speak of "gift", a table with one row a
 * gift: `giver` (null for what a pool gave), `named` (the same, null also where the gift is anonymous), `getter` (null
 * while a newcomer has not taken it), `amount` in msats, `at`. Tips, rain and rewards; shares of drops (what wallets
 * pay once it is proven); prizes of giveaways. A sum that went back to its giver was not given.
 */
export function aboutGifts(guild: string, since: Date, question: string): Sql {
  // As Prisma writes times, for they are compared as text.
  const from = since.toISOString().replace('Z', '+00:00')
  const table = gifts((server, at) => `${server} = ? AND ${at} >= ?`)
  // Read once, however often the question speaks of it.
  const parts = `WITH "gift" AS MATERIALIZED (${table}) `.split('?')
  parts.push(`${parts.pop() ?? ''}${question}`)
  return new Sql(
    parts,
    parts.slice(1).map((_, place) => (place % 2 === 0 ? guild : from)),
  )
}

/** When a share of a drop was given. A tip counts at its own time, also if it is claimed or paid later. */
const OF_DROP = 'CASE WHEN d."draw" THEN d."closedAt" ELSE c."createdAt" END'

/** The gifts of all servers, in the order of servers and times: "guild", "at", "giver", "named", "getter", "amount". */
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
