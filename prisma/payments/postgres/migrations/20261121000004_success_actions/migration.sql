-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- What a payee wants the payer to be shown once a payment has settled (LUD-09), as JSON; empty for nothing.

ALTER TABLE "Payment" ADD COLUMN "successAction" TEXT COLLATE "C" NOT NULL DEFAULT '';
