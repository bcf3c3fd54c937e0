-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- When somebody had their names and links deleted; until they use the bot again they count as new.

ALTER TABLE "Member" ADD COLUMN "forgottenAt" TIMESTAMP(3);
