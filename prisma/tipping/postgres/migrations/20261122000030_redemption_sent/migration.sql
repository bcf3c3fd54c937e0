-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- When a redemption's code was sent, by the book's time: how old its key is goes by that, and not by a wall clock that may
-- have been wrong.

ALTER TABLE "Redemption" ADD COLUMN "sentAt" TIMESTAMP(3);

UPDATE "Redemption" SET "sentAt" = "createdAt";
