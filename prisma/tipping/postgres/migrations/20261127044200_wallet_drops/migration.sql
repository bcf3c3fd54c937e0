-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- Drops whose shares a connected wallet pays as they are claimed, and payments from a wallet that a card of their own shows.

ALTER TABLE "Drop" ADD COLUMN "connection" TEXT COLLATE "C";
ALTER TABLE "WalletPayment" ADD COLUMN "card" TEXT COLLATE "C";
