-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- Keys with which programs give rewards and hear of what happens in a server.
CREATE TABLE "ApiKey" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "guild" TEXT COLLATE "C" NOT NULL,
    "channel" TEXT COLLATE "C" NOT NULL,
    "owner" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "hash" TEXT COLLATE "C" NOT NULL,
    "scopes" TEXT COLLATE "C" NOT NULL,
    "budget" BIGINT NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "lastUsedAt" TIMESTAMP(3),
    "revokedBy" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    CONSTRAINT "ApiKey_budget" CHECK ("budget" >= 0)
);
CREATE UNIQUE INDEX "ApiKey_hash_key" ON "ApiKey"("hash");
CREATE INDEX "ApiKey_guild_createdAt_idx" ON "ApiKey"("guild", "createdAt");

ALTER TABLE "Reward" ADD COLUMN "apiKey" TEXT COLLATE "C";
CREATE INDEX "Reward_apiKey_createdAt_idx" ON "Reward"("apiKey", "createdAt");
