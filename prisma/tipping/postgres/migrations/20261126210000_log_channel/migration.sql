-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- Where a server has its moderation log told as it grows.
ALTER TABLE "Server" ADD COLUMN "logChannel" TEXT COLLATE "C";
