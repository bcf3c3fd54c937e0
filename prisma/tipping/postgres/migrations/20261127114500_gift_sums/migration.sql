-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- What people gave each other in a server, day by day (UTC) and month by month: leaderboards add these up. Triggers keep them in
-- the transaction of the gift; the audit compares them with the records. No sum refuses a gift.

CREATE TABLE "GiftDay" (
    "guild" TEXT COLLATE "C" NOT NULL,
    "day" TEXT COLLATE "C" NOT NULL,
    "side" TEXT COLLATE "C" NOT NULL,
    "member" TEXT COLLATE "C" NOT NULL,
    "amount" BIGINT NOT NULL,
    PRIMARY KEY ("guild", "day", "side", "member")
);

-- In the order of members, so that a year is added up without sorting.
CREATE TABLE "GiftMonth" (
    "guild" TEXT COLLATE "C" NOT NULL,
    "side" TEXT COLLATE "C" NOT NULL,
    "member" TEXT COLLATE "C" NOT NULL,
    "month" TEXT COLLATE "C" NOT NULL,
    "amount" BIGINT NOT NULL,
    PRIMARY KEY ("guild", "side", "member", "month")
);

-- The audit reads them month by month.
CREATE INDEX "GiftMonth_guild_month_idx" ON "GiftMonth"("guild", "month");

-- Leaderboards leave them out. They are few.
CREATE INDEX "Member_hidden" ON "Member"("id") WHERE "hidden";

CREATE OR REPLACE FUNCTION "GiftDay_begins_month"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  INSERT INTO "GiftMonth" ("guild", "side", "member", "month", "amount")
    VALUES (NEW."guild", NEW."side", NEW."member", substr(NEW."day", 1, 7), NEW."amount")
    ON CONFLICT ("guild", "side", "member", "month") DO UPDATE SET "amount" = "GiftMonth"."amount" + excluded."amount";
  RETURN NEW;
END
$body$;
CREATE TRIGGER "GiftDay_begins_month" AFTER INSERT ON "GiftDay" FOR EACH ROW EXECUTE FUNCTION "GiftDay_begins_month"();

CREATE OR REPLACE FUNCTION "GiftDay_changes_month"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  UPDATE "GiftMonth" SET "amount" = "amount" + NEW."amount" - OLD."amount"
    WHERE "guild" = NEW."guild" AND "side" = NEW."side" AND "member" = NEW."member" AND "month" = substr(NEW."day", 1, 7);
  RETURN NEW;
END
$body$;
CREATE TRIGGER "GiftDay_changes_month" AFTER UPDATE OF "amount" ON "GiftDay" FOR EACH ROW EXECUTE FUNCTION "GiftDay_changes_month"();

CREATE OR REPLACE FUNCTION "TipShare_is_given"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  INSERT INTO "GiftDay" ("guild", "side", "day", "member", "amount")
    SELECT t."guild", x."side", substr(CAST(t."createdAt" AS TEXT), 1, 10),
      CASE x."side" WHEN 'giver' THEN t."sender" WHEN 'getter' THEN NEW."recipient" ELSE '' END, NEW."amount"
    FROM "Tip" AS t, (SELECT 'giver' AS "side" UNION ALL SELECT 'getter' UNION ALL SELECT 'unclaimed') AS x
    WHERE t."id" = NEW."tipId" AND t."guild" IS NOT NULL AND NEW."state" <> 'returned' AND CASE x."side"
      WHEN 'giver' THEN t."pool" IS NULL AND NOT t."anonymous"
      WHEN 'getter' THEN NEW."state" IN ('credited', 'claimed')
      ELSE t."pool" IS NULL AND NEW."state" NOT IN ('credited', 'claimed') END
    ON CONFLICT ("guild", "day", "side", "member") DO UPDATE SET "amount" = "GiftDay"."amount" + excluded."amount";
  RETURN NEW;
END
$body$;
CREATE TRIGGER "TipShare_is_given" AFTER INSERT ON "TipShare" FOR EACH ROW EXECUTE FUNCTION "TipShare_is_given"();

-- It is claimed, or goes back.
CREATE OR REPLACE FUNCTION "TipShare_changes"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  IF OLD."state" <> NEW."state" THEN
    INSERT INTO "GiftDay" ("guild", "side", "day", "member", "amount")
    SELECT t."guild", x."side", substr(CAST(t."createdAt" AS TEXT), 1, 10),
      CASE x."side" WHEN 'giver' THEN t."sender" WHEN 'getter' THEN OLD."recipient" ELSE '' END, -OLD."amount"
    FROM "Tip" AS t, (SELECT 'giver' AS "side" UNION ALL SELECT 'getter' UNION ALL SELECT 'unclaimed') AS x
    WHERE t."id" = OLD."tipId" AND t."guild" IS NOT NULL AND OLD."state" <> 'returned' AND CASE x."side"
      WHEN 'giver' THEN t."pool" IS NULL AND NOT t."anonymous"
      WHEN 'getter' THEN OLD."state" IN ('credited', 'claimed')
      ELSE t."pool" IS NULL AND OLD."state" NOT IN ('credited', 'claimed') END
    ON CONFLICT ("guild", "day", "side", "member") DO UPDATE SET "amount" = "GiftDay"."amount" + excluded."amount";
  INSERT INTO "GiftDay" ("guild", "side", "day", "member", "amount")
    SELECT t."guild", x."side", substr(CAST(t."createdAt" AS TEXT), 1, 10),
      CASE x."side" WHEN 'giver' THEN t."sender" WHEN 'getter' THEN NEW."recipient" ELSE '' END, NEW."amount"
    FROM "Tip" AS t, (SELECT 'giver' AS "side" UNION ALL SELECT 'getter' UNION ALL SELECT 'unclaimed') AS x
    WHERE t."id" = NEW."tipId" AND t."guild" IS NOT NULL AND NEW."state" <> 'returned' AND CASE x."side"
      WHEN 'giver' THEN t."pool" IS NULL AND NOT t."anonymous"
      WHEN 'getter' THEN NEW."state" IN ('credited', 'claimed')
      ELSE t."pool" IS NULL AND NEW."state" NOT IN ('credited', 'claimed') END
    ON CONFLICT ("guild", "day", "side", "member") DO UPDATE SET "amount" = "GiftDay"."amount" + excluded."amount";
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER "TipShare_changes" AFTER UPDATE OF "state" ON "TipShare" FOR EACH ROW EXECUTE FUNCTION "TipShare_changes"();

CREATE OR REPLACE FUNCTION "WalletPayment_is_given"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  IF NEW."state" = 'paid' THEN
    INSERT INTO "GiftDay" ("guild", "side", "day", "member", "amount")
    SELECT t."guild", x."side", substr(CAST(t."createdAt" AS TEXT), 1, 10),
      CASE x."side" WHEN 'giver' THEN NEW."sender" ELSE NEW."recipient" END, NEW."amount"
    FROM "Tip" AS t, (SELECT 'giver' AS "side" UNION ALL SELECT 'getter') AS x
    WHERE t."id" = NEW."tipId" AND t."guild" IS NOT NULL AND (x."side" = 'getter' OR t."pool" IS NULL)
    ON CONFLICT ("guild", "day", "side", "member") DO UPDATE SET "amount" = "GiftDay"."amount" + excluded."amount";
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER "WalletPayment_is_given" AFTER INSERT ON "WalletPayment" FOR EACH ROW EXECUTE FUNCTION "WalletPayment_is_given"();

-- What is paid stays paid.
CREATE OR REPLACE FUNCTION "WalletPayment_is_paid"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  IF NEW."state" = 'paid' AND OLD."state" <> 'paid' THEN
    INSERT INTO "GiftDay" ("guild", "side", "day", "member", "amount")
    SELECT t."guild", x."side", substr(CAST(t."createdAt" AS TEXT), 1, 10),
      CASE x."side" WHEN 'giver' THEN NEW."sender" ELSE NEW."recipient" END, NEW."amount"
    FROM "Tip" AS t, (SELECT 'giver' AS "side" UNION ALL SELECT 'getter') AS x
    WHERE t."id" = NEW."tipId" AND t."guild" IS NOT NULL AND (x."side" = 'getter' OR t."pool" IS NULL)
    ON CONFLICT ("guild", "day", "side", "member") DO UPDATE SET "amount" = "GiftDay"."amount" + excluded."amount";
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER "WalletPayment_is_paid" AFTER UPDATE OF "state" ON "WalletPayment" FOR EACH ROW EXECUTE FUNCTION "WalletPayment_is_paid"();

CREATE OR REPLACE FUNCTION "DropClaim_is_given"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  IF NEW."state" = 'given' THEN
    INSERT INTO "GiftDay" ("guild", "side", "day", "member", "amount")
    SELECT d."guild", x."side", substr(CAST(CASE WHEN d."draw" THEN d."closedAt" ELSE c."createdAt" END AS TEXT), 1, 10),
      CASE x."side" WHEN 'giver' THEN d."member" ELSE c."member" END, d."share"
    FROM "DropClaim" AS c JOIN "Drop" AS d ON d."id" = c."dropId" LEFT JOIN "Voucher" AS v ON v."id" = c."voucherId", (SELECT 'giver' AS "side" UNION ALL SELECT 'getter') AS x
    WHERE c."id" = NEW."id" AND COALESCE(v."state", '') <> 'revoked' AND d."guild" IS NOT NULL AND d."connection" IS NULL
      AND (x."side" = 'getter' OR d."pool" IS NULL) AND (CASE WHEN d."draw" THEN d."closedAt" ELSE c."createdAt" END) IS NOT NULL
    ON CONFLICT ("guild", "day", "side", "member") DO UPDATE SET "amount" = "GiftDay"."amount" + excluded."amount";
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER "DropClaim_is_given" AFTER INSERT ON "DropClaim" FOR EACH ROW EXECUTE FUNCTION "DropClaim_is_given"();

-- It is drawn.
CREATE OR REPLACE FUNCTION "DropClaim_is_won"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  IF NEW."state" = 'given' AND OLD."state" <> 'given' THEN
    INSERT INTO "GiftDay" ("guild", "side", "day", "member", "amount")
    SELECT d."guild", x."side", substr(CAST(CASE WHEN d."draw" THEN d."closedAt" ELSE c."createdAt" END AS TEXT), 1, 10),
      CASE x."side" WHEN 'giver' THEN d."member" ELSE c."member" END, d."share"
    FROM "DropClaim" AS c JOIN "Drop" AS d ON d."id" = c."dropId" LEFT JOIN "Voucher" AS v ON v."id" = c."voucherId", (SELECT 'giver' AS "side" UNION ALL SELECT 'getter') AS x
    WHERE c."id" = NEW."id" AND COALESCE(v."state", '') <> 'revoked' AND d."guild" IS NOT NULL AND d."connection" IS NULL
      AND (x."side" = 'getter' OR d."pool" IS NULL) AND (CASE WHEN d."draw" THEN d."closedAt" ELSE c."createdAt" END) IS NOT NULL
    ON CONFLICT ("guild", "day", "side", "member") DO UPDATE SET "amount" = "GiftDay"."amount" + excluded."amount";
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER "DropClaim_is_won" AFTER UPDATE OF "state" ON "DropClaim" FOR EACH ROW EXECUTE FUNCTION "DropClaim_is_won"();

-- The code of a share goes back to the giver.
CREATE OR REPLACE FUNCTION "Voucher_goes_back"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  IF (OLD."state" = 'revoked') <> (NEW."state" = 'revoked') THEN
    INSERT INTO "GiftDay" ("guild", "side", "day", "member", "amount")
    SELECT d."guild", x."side", substr(CAST(CASE WHEN d."draw" THEN d."closedAt" ELSE c."createdAt" END AS TEXT), 1, 10),
      CASE x."side" WHEN 'giver' THEN d."member" ELSE c."member" END, CASE NEW."state" WHEN 'revoked' THEN -d."share" ELSE d."share" END
    FROM "DropClaim" AS c JOIN "Drop" AS d ON d."id" = c."dropId" LEFT JOIN "Voucher" AS v ON v."id" = c."voucherId", (SELECT 'giver' AS "side" UNION ALL SELECT 'getter') AS x
    WHERE v."id" = NEW."id" AND c."state" = 'given' AND d."guild" IS NOT NULL AND d."connection" IS NULL
      AND (x."side" = 'getter' OR d."pool" IS NULL) AND (CASE WHEN d."draw" THEN d."closedAt" ELSE c."createdAt" END) IS NOT NULL
    ON CONFLICT ("guild", "day", "side", "member") DO UPDATE SET "amount" = "GiftDay"."amount" + excluded."amount";
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER "Voucher_goes_back" AFTER UPDATE OF "state" ON "Voucher" FOR EACH ROW EXECUTE FUNCTION "Voucher_goes_back"();

CREATE OR REPLACE FUNCTION "GiveawayWin_is_given"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  INSERT INTO "GiftDay" ("guild", "side", "day", "member", "amount")
    SELECT g."guild", x."side", substr(CAST(NEW."createdAt" AS TEXT), 1, 10),
      CASE x."side" WHEN 'giver' THEN g."starter" ELSE NEW."member" END, g."prize"
    FROM "Giveaway" AS g, (SELECT 'giver' AS "side" UNION ALL SELECT 'getter') AS x
    WHERE g."id" = NEW."giveawayId" AND g."guild" IS NOT NULL AND (x."side" = 'getter' OR g."pool" IS NULL)
    ON CONFLICT ("guild", "day", "side", "member") DO UPDATE SET "amount" = "GiftDay"."amount" + excluded."amount";
  RETURN NEW;
END
$body$;
CREATE TRIGGER "GiveawayWin_is_given" AFTER INSERT ON "GiveawayWin" FOR EACH ROW EXECUTE FUNCTION "GiveawayWin_is_given"();

-- What was given before. GiftMonth follows.
INSERT INTO "GiftDay" ("guild", "side", "day", "member", "amount")
SELECT "guild", "side", "day", "member", SUM("amount") FROM (
  SELECT t."guild" AS "guild", 'giver' AS "side", substr(CAST(t."createdAt" AS TEXT), 1, 10) AS "day", t."sender" AS "member", s."amount" AS "amount"
    FROM "Tip" AS t JOIN "TipShare" AS s ON s."tipId" = t."id"
    WHERE s."state" <> 'returned' AND t."pool" IS NULL AND NOT t."anonymous"
  UNION ALL
  SELECT t."guild", CASE WHEN s."state" IN ('credited', 'claimed') THEN 'getter' ELSE 'unclaimed' END, substr(CAST(t."createdAt" AS TEXT), 1, 10),
      CASE WHEN s."state" IN ('credited', 'claimed') THEN s."recipient" ELSE '' END, s."amount"
    FROM "Tip" AS t JOIN "TipShare" AS s ON s."tipId" = t."id"
    WHERE s."state" <> 'returned' AND (t."pool" IS NULL OR s."state" IN ('credited', 'claimed'))
  UNION ALL
  SELECT t."guild", x."side", substr(CAST(t."createdAt" AS TEXT), 1, 10), CASE x."side" WHEN 'giver' THEN w."sender" ELSE w."recipient" END, w."amount"
    FROM "WalletPayment" AS w JOIN "Tip" AS t ON t."id" = w."tipId", (SELECT 'giver' AS "side" UNION ALL SELECT 'getter') AS x
    WHERE w."state" = 'paid' AND (x."side" = 'getter' OR t."pool" IS NULL)
  UNION ALL
  SELECT d."guild", x."side", substr(CAST(CASE WHEN d."draw" THEN d."closedAt" ELSE c."createdAt" END AS TEXT), 1, 10), CASE x."side" WHEN 'giver' THEN d."member" ELSE c."member" END, d."share"
    FROM "DropClaim" AS c JOIN "Drop" AS d ON d."id" = c."dropId" LEFT JOIN "Voucher" AS v ON v."id" = c."voucherId", (SELECT 'giver' AS "side" UNION ALL SELECT 'getter') AS x
    WHERE c."state" = 'given' AND COALESCE(v."state", '') <> 'revoked' AND d."connection" IS NULL
      AND (x."side" = 'getter' OR d."pool" IS NULL)
  UNION ALL
  SELECT g."guild", x."side", substr(CAST(w."createdAt" AS TEXT), 1, 10), CASE x."side" WHEN 'giver' THEN g."starter" ELSE w."member" END, g."prize"
    FROM "GiveawayWin" AS w JOIN "Giveaway" AS g ON g."id" = w."giveawayId", (SELECT 'giver' AS "side" UNION ALL SELECT 'getter') AS x
    WHERE x."side" = 'getter' OR g."pool" IS NULL
) AS "gift"
WHERE "guild" IS NOT NULL AND "day" IS NOT NULL
GROUP BY "guild", "day", "side", "member";
