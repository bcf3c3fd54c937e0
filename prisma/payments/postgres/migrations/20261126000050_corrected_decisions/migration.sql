-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- What operators decided of a payment can be corrected by a later decision, which names the one that it corrects.

ALTER TABLE "PaymentDecision" ADD COLUMN "corrects" TEXT COLLATE "C" NOT NULL DEFAULT '';

DROP INDEX "PaymentDecision_one_done";
CREATE UNIQUE INDEX "PaymentDecision_one_done" ON "PaymentDecision"("paymentId", "corrects") WHERE "state" = 'done';
