import { Sql } from '@prisma/client/runtime/client'

/**
 * A question about what people gave each other in a server since a time. It may speak of "gift", a table with one row a
 * gift: `giver` (null for what a pool gave), `named` (the same, null also where the gift is anonymous), `getter` (null while a newcomer has not taken it), `amount` in
 * msats, `at`. Tips, rain and rewards; shares of drops (what wallets pay once it is proven); prizes of giveaways. What went back to its giver was not given.
 */
export function aboutGifts(guild: string, since: Date, question: string): Sql {
  // As Prisma writes times, for they are compared as text.
  const from = since.toISOString().replace('Z', '+00:00')
  return new Sql([...TABLE, `) ${question}`], [guild, from, guild, from, guild, from, from, guild, from])
}

/** Read once, however often the question speaks of it. */
const TABLE = [
  `WITH "gift" AS MATERIALIZED (
    SELECT CASE WHEN t."pool" IS NULL THEN t."sender" END AS "giver",
      CASE WHEN t."pool" IS NULL AND NOT t."anonymous" THEN t."sender" END AS "named",
      CASE WHEN s."state" IN ('credited', 'claimed') THEN s."recipient" END AS "getter",
      s."amount" AS "amount", t."createdAt" AS "at"
    FROM "Tip" AS t JOIN "TipShare" AS s ON s."tipId" = t."id"
    WHERE s."state" <> 'returned' AND t."guild" = `,
  ` AND t."createdAt" >= `,
  ` UNION ALL
    SELECT CASE WHEN t."pool" IS NULL THEN w."sender" END, CASE WHEN t."pool" IS NULL THEN w."sender" END,
      w."recipient", w."amount", w."createdAt"
    FROM "WalletPayment" AS w JOIN "Tip" AS t ON w."tipId" = t."id"
    WHERE w."state" = 'paid' AND t."guild" = `,
  ` AND t."createdAt" >= `,
  ` UNION ALL
    SELECT CASE WHEN d."pool" IS NULL THEN d."member" END, CASE WHEN d."pool" IS NULL THEN d."member" END, c."member", d."share", CASE WHEN d."draw" THEN d."closedAt" ELSE c."createdAt" END
    FROM "Drop" AS d JOIN "DropClaim" AS c ON c."dropId" = d."id" LEFT JOIN "Voucher" AS v ON v."id" = c."voucherId"
    WHERE c."state" = 'given' AND COALESCE(v."state", '') <> 'revoked' AND d."connection" IS NULL AND d."guild" = `,
  ` AND (c."createdAt" >= `,
  ` OR d."draw" AND d."closedAt" >= `,
  `)
    UNION ALL
    SELECT CASE WHEN g."pool" IS NULL THEN g."starter" END, CASE WHEN g."pool" IS NULL THEN g."starter" END, w."member", g."prize", w."createdAt"
    FROM "Giveaway" AS g JOIN "GiveawayWin" AS w ON w."giveawayId" = g."id"
    WHERE g."guild" = `,
  ` AND w."createdAt" >= `,
]
