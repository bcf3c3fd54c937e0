-- Who gets nothing of what is given to everybody in a server.
ALTER TABLE "Server" ADD COLUMN "blockedMembers" TEXT NOT NULL DEFAULT '[]';
ALTER TABLE "Server" ADD COLUMN "blockedRoles" TEXT NOT NULL DEFAULT '[]';
