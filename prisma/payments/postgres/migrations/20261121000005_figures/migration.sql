-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- What operators watch, so that looking at it costs the same whatever the books have grown to.

-- How many payments there are, by kind and how they stand: counted as they change.
CREATE TABLE "PaymentTotal" (
    "kind" TEXT COLLATE "C" NOT NULL,
    "status" TEXT COLLATE "C" NOT NULL,
    "count" INTEGER NOT NULL,

    PRIMARY KEY ("kind", "status")
);

INSERT INTO "PaymentTotal" ("kind", "status", "count") SELECT "kind", "status", count(*) FROM "Payment" GROUP BY "kind", "status";

CREATE OR REPLACE FUNCTION "Payment_counted"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  INSERT INTO "PaymentTotal" ("kind", "status", "count") VALUES (NEW."kind", NEW."status", 1)
    ON CONFLICT ("kind", "status") DO UPDATE SET "count" = "PaymentTotal"."count" + 1;
  RETURN NEW;
END
$body$;
CREATE TRIGGER "Payment_counted" AFTER INSERT ON "Payment" FOR EACH ROW EXECUTE FUNCTION "Payment_counted"();

CREATE OR REPLACE FUNCTION "Payment_recounted"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  IF OLD."status" <> NEW."status" THEN
    UPDATE "PaymentTotal" SET "count" = "count" - 1 WHERE "kind" = OLD."kind" AND "status" = OLD."status";
    INSERT INTO "PaymentTotal" ("kind", "status", "count") VALUES (NEW."kind", NEW."status", 1)
    ON CONFLICT ("kind", "status") DO UPDATE SET "count" = "PaymentTotal"."count" + 1;
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER "Payment_recounted" AFTER UPDATE OF "status" ON "Payment" FOR EACH ROW EXECUTE FUNCTION "Payment_recounted"();

-- What is not a wallet and holds something: few, however many there ever were.
CREATE INDEX "Account_holding" ON "Account"("kind") WHERE "kind" <> 'wallet';

-- Since when the oldest has been waiting is read from the index alone.
DROP INDEX "Callback_deliveredAt_parkedAt_nextAttemptAt_idx";
CREATE INDEX "Callback_deliveredAt_parkedAt_nextAttemptAt_createdAt_idx" ON "Callback"("deliveredAt", "parkedAt", "nextAttemptAt", "createdAt");
