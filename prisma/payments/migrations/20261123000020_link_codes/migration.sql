-- Codes by which users show elsewhere that a gamertag is theirs.

CREATE TABLE "LinkCode" (
    "hash" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL
);

CREATE INDEX "LinkCode_userId_idx" ON "LinkCode"("userId");
