-- Keys with which programs give rewards and hear of what happens in a server.
CREATE TABLE "ApiKey" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "guild" TEXT NOT NULL,
    "channel" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "scopes" TEXT NOT NULL,
    "budget" BIGINT NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "lastUsedAt" DATETIME,
    "revokedBy" TEXT,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "ApiKey_budget" CHECK ("budget" >= 0)
);
CREATE UNIQUE INDEX "ApiKey_hash_key" ON "ApiKey"("hash");
CREATE INDEX "ApiKey_guild_createdAt_idx" ON "ApiKey"("guild", "createdAt");

ALTER TABLE "Reward" ADD COLUMN "apiKey" TEXT;
CREATE INDEX "Reward_apiKey_createdAt_idx" ON "Reward"("apiKey", "createdAt");
