-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- What one person may give in a server, and how often.

ALTER TABLE "Server" ADD COLUMN "perDay" BIGINT CHECK ("perDay" >= 1);
ALTER TABLE "Server" ADD COLUMN "newAccountPerDay" BIGINT CHECK ("newAccountPerDay" >= 1);
ALTER TABLE "Server" ADD COLUMN "newAccountDays" INTEGER CHECK ("newAccountDays" BETWEEN 1 AND 365);
ALTER TABLE "Server" ADD COLUMN "coolDownSeconds" INTEGER CHECK ("coolDownSeconds" BETWEEN 1 AND 86400);
