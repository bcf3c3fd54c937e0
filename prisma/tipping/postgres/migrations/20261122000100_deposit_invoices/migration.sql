-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- A deposit's code as a BOLT11 invoice, for wallets that read nothing else; until it expires.

ALTER TABLE "Deposit" ADD COLUMN "invoice" TEXT COLLATE "C";
ALTER TABLE "Deposit" ADD COLUMN "invoiceExpiresAt" TIMESTAMP(3);
