-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- Why a payment failed, by a code that can be said in every language. Its words stay in "failure".

ALTER TABLE "Payment" ADD COLUMN "failureCode" TEXT COLLATE "C" NOT NULL DEFAULT '';
