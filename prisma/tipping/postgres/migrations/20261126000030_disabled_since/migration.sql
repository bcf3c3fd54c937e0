-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- Since when a charge takes no more payments: long after that, nothing can arrive, and it is read no more.

ALTER TABLE "Deposit" ADD COLUMN "disabledSince" TIMESTAMP(3);
ALTER TABLE "Fundraiser" ADD COLUMN "disabledSince" TIMESTAMP(3);
