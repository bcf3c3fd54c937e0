-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- When an operator last confirmed that the wall clock is right, by that clock; until that is acted upon.

ALTER TABLE "BookTime" ADD COLUMN "confirmedAt" TIMESTAMP(3);
