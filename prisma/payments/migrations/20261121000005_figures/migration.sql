-- What operators watch, so that looking at it costs the same whatever the books have grown to.

-- How many payments there are, by kind and how they stand: counted as they change.
CREATE TABLE "PaymentTotal" (
    "kind" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "count" INTEGER NOT NULL,

    PRIMARY KEY ("kind", "status")
);

INSERT INTO "PaymentTotal" ("kind", "status", "count") SELECT "kind", "status", count(*) FROM "Payment" GROUP BY "kind", "status";

CREATE TRIGGER "Payment_counted" AFTER INSERT ON "Payment" BEGIN
    INSERT INTO "PaymentTotal" ("kind", "status", "count") VALUES (NEW."kind", NEW."status", 1)
    ON CONFLICT ("kind", "status") DO UPDATE SET "count" = "count" + 1;
END;

CREATE TRIGGER "Payment_recounted" AFTER UPDATE OF "status" ON "Payment" WHEN OLD."status" <> NEW."status" BEGIN
    UPDATE "PaymentTotal" SET "count" = "count" - 1 WHERE "kind" = OLD."kind" AND "status" = OLD."status";
    INSERT INTO "PaymentTotal" ("kind", "status", "count") VALUES (NEW."kind", NEW."status", 1)
    ON CONFLICT ("kind", "status") DO UPDATE SET "count" = "count" + 1;
END;

-- What is not a wallet and holds something: few, however many there ever were.
CREATE INDEX "Account_holding" ON "Account"("kind", "balance") WHERE "kind" <> 'wallet' AND "balance" <> 0;

-- Since when the oldest has been waiting is read from the index alone.
DROP INDEX "Callback_deliveredAt_parkedAt_nextAttemptAt_idx";
CREATE INDEX "Callback_deliveredAt_parkedAt_nextAttemptAt_createdAt_idx" ON "Callback"("deliveredAt", "parkedAt", "nextAttemptAt", "createdAt");
