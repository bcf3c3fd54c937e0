-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- Whom an open invoice for a slot counts for, so that all services on a book leave slots to others.

ALTER TABLE "Invoice" ADD COLUMN "payer" TEXT COLLATE "C" NOT NULL DEFAULT '';
