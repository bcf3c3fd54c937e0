-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- Members who let Discord show what they gave (linked roles), with Discord's tokens, encrypted.
CREATE TABLE "RoleConnection" (
    "member" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "id" TEXT COLLATE "C" NOT NULL,
    "sealed" TEXT COLLATE "C" NOT NULL,
    "shown" TEXT COLLATE "C",
    "nextAt" TIMESTAMP(3) NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL
);
CREATE UNIQUE INDEX "RoleConnection_id_key" ON "RoleConnection"("id");
CREATE INDEX "RoleConnection_nextAt_idx" ON "RoleConnection"("nextAt");

-- A browser's attempt to get a consent at Discord that has come back. It counts once.
CREATE TABLE "ConsentAttempt" (
    "hash" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "endsAt" TIMESTAMP(3) NOT NULL
);
CREATE INDEX "ConsentAttempt_endsAt_idx" ON "ConsentAttempt"("endsAt");
