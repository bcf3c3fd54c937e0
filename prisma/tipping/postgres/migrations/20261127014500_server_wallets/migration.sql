-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- A server's wallet: a link on which a moderator connects it, and rewards that it pays.
ALTER TABLE "WalletPass" ADD COLUMN "guild" TEXT COLLATE "C";
ALTER TABLE "Reward" ADD COLUMN "source" TEXT COLLATE "C" NOT NULL DEFAULT 'pool' CHECK ("source" IN ('pool', 'wallet'));
