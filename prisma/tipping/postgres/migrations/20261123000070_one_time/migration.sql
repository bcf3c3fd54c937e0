-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- Several processes keep the time of one book: how often it was set, so that it is set once and each notices it, and when a process
-- that believes its wall clock last wrote it.

ALTER TABLE "BookTime" ADD COLUMN "setNumber" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "BookTime" ADD COLUMN "believedAt" TIMESTAMP(3);
