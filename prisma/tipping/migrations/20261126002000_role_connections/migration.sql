-- Members who let Discord show what they gave (linked roles), with Discord's tokens, encrypted.
CREATE TABLE "RoleConnection" (
    "member" TEXT NOT NULL PRIMARY KEY,
    "id" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "shown" TEXT,
    "nextAt" DATETIME NOT NULL,
    "createdAt" DATETIME NOT NULL
);
CREATE UNIQUE INDEX "RoleConnection_id_key" ON "RoleConnection"("id");
CREATE INDEX "RoleConnection_nextAt_idx" ON "RoleConnection"("nextAt");

-- A browser's attempt to get a consent at Discord that has come back. It counts once.
CREATE TABLE "ConsentAttempt" (
    "hash" TEXT NOT NULL PRIMARY KEY,
    "endsAt" DATETIME NOT NULL
);
CREATE INDEX "ConsentAttempt_endsAt_idx" ON "ConsentAttempt"("endsAt");
