-- Programs that users may log in to with their wallet, and what users allow them.

CREATE TABLE "LogInClient" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "projectId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "redirectUris" TEXT NOT NULL,
    "scopes" TEXT NOT NULL,
    "secretHash" TEXT,
    "createdAt" DATETIME NOT NULL,
    "removedAt" DATETIME
);

CREATE TABLE "LogInCode" (
    "hash" TEXT NOT NULL PRIMARY KEY,
    "grantId" TEXT NOT NULL,
    "clientId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "scopes" TEXT NOT NULL,
    "redirectUri" TEXT NOT NULL,
    "challenge" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "usedAt" DATETIME
);

CREATE TABLE "LogInGrant" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "clientId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "scopes" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "endedAt" DATETIME
);

CREATE TABLE "LogInToken" (
    "hash" TEXT NOT NULL PRIMARY KEY,
    "grantId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "scopes" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "usedAt" DATETIME
);

CREATE INDEX "LogInClient_projectId_idx" ON "LogInClient"("projectId");

CREATE INDEX "LogInCode_userId_clientId_idx" ON "LogInCode"("userId", "clientId");

CREATE INDEX "LogInCode_expiresAt_idx" ON "LogInCode"("expiresAt");

CREATE INDEX "LogInGrant_userId_endedAt_idx" ON "LogInGrant"("userId", "endedAt");

CREATE INDEX "LogInGrant_expiresAt_idx" ON "LogInGrant"("expiresAt");

CREATE INDEX "LogInToken_expiresAt_idx" ON "LogInToken"("expiresAt");
