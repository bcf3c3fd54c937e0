-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

ALTER TABLE "Card" ADD COLUMN "asked" TEXT COLLATE "C";
