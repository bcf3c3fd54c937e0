-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- Who gets nothing of what is given to everybody in a server.
ALTER TABLE "Server" ADD COLUMN "blockedMembers" TEXT COLLATE "C" NOT NULL DEFAULT '[]';
ALTER TABLE "Server" ADD COLUMN "blockedRoles" TEXT COLLATE "C" NOT NULL DEFAULT '[]';
