-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- A deposit that its member asks for in a channel, for anybody to pay, and what for.

ALTER TABLE "Deposit" ADD COLUMN "askedIn" TEXT COLLATE "C";
ALTER TABLE "Deposit" ADD COLUMN "note" TEXT COLLATE "C" NOT NULL DEFAULT '';
