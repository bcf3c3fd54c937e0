-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- Who cancelled a giveaway, where a moderator did it for its starter.
ALTER TABLE "Giveaway" ADD COLUMN "cancelledBy" TEXT COLLATE "C";
