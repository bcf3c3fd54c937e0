-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- A connection that a member began on the page of their wallet: what the way back must name, and the secret that was made for it.
ALTER TABLE "WalletPass" ADD COLUMN "state" TEXT COLLATE "C";
ALTER TABLE "WalletPass" ADD COLUMN "sealed" TEXT COLLATE "C";
