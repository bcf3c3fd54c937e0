-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- Programs that users may log in to with their wallet, and what users allow them.

CREATE TABLE "LogInClient" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "projectId" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "redirectUris" TEXT COLLATE "C" NOT NULL,
    "scopes" TEXT COLLATE "C" NOT NULL,
    "secretHash" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    "removedAt" TIMESTAMP(3)
);

CREATE TABLE "LogInCode" (
    "hash" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "grantId" TEXT COLLATE "C" NOT NULL,
    "clientId" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C" NOT NULL,
    "scopes" TEXT COLLATE "C" NOT NULL,
    "redirectUri" TEXT COLLATE "C" NOT NULL,
    "challenge" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "usedAt" TIMESTAMP(3)
);

CREATE TABLE "LogInGrant" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "clientId" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C" NOT NULL,
    "scopes" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "endedAt" TIMESTAMP(3)
);

CREATE TABLE "LogInToken" (
    "hash" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "grantId" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "scopes" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "usedAt" TIMESTAMP(3)
);

CREATE INDEX "LogInClient_projectId_idx" ON "LogInClient"("projectId");

CREATE INDEX "LogInCode_userId_clientId_idx" ON "LogInCode"("userId", "clientId");

CREATE INDEX "LogInCode_expiresAt_idx" ON "LogInCode"("expiresAt");

CREATE INDEX "LogInGrant_userId_endedAt_idx" ON "LogInGrant"("userId", "endedAt");

CREATE INDEX "LogInGrant_expiresAt_idx" ON "LogInGrant"("expiresAt");

CREATE INDEX "LogInToken_expiresAt_idx" ON "LogInToken"("expiresAt");
