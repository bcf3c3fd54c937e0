-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- Codes by which users show elsewhere that a gamertag is theirs.

CREATE TABLE "LinkCode" (
    "hash" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "userId" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL
);

CREATE INDEX "LinkCode_userId_idx" ON "LinkCode"("userId");
