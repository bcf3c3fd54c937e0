-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- How old an account, and how long somebody in the server, must be to get something of a rain; 0: no matter.

ALTER TABLE "Server" ADD COLUMN "rainAccountDays" INTEGER CHECK ("rainAccountDays" BETWEEN 0 AND 3650);
ALTER TABLE "Server" ADD COLUMN "rainMemberDays" INTEGER CHECK ("rainMemberDays" BETWEEN 0 AND 3650);
