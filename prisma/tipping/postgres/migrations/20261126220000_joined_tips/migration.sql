-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- A tip that adds the same amount to another one, once by each sender.
ALTER TABLE "Tip" ADD COLUMN "joins" TEXT COLLATE "C";
CREATE UNIQUE INDEX "Tip_joins_sender_key" ON "Tip"("joins", "sender") WHERE "joins" IS NOT NULL;
