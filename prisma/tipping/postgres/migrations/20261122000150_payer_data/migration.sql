-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- What the payer of a Lightning Address said about themselves (LUD-18).

ALTER TABLE "AddressPayment" ADD COLUMN "payer" TEXT COLLATE "C" NOT NULL DEFAULT '';
