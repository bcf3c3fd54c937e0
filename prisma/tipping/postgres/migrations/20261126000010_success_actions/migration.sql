-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- What a payee shows the payer after a payment (LUD-09), and the preimage that opens what it has locked (LUD-10).

ALTER TABLE "Withdrawal" ADD COLUMN "successAction" TEXT COLLATE "C";
ALTER TABLE "Withdrawal" ADD COLUMN "preimage" TEXT COLLATE "C";
