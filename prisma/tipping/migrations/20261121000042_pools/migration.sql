-- A server's reward pool: what fills it, who may pay from it, and what was paid.

CREATE TABLE "PoolGift" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "guild" TEXT NOT NULL,
    "member" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "fundraiserId" TEXT,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "PoolGift_fundraiserId_fkey" FOREIGN KEY ("fundraiserId") REFERENCES "Fundraiser" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "PoolGift_amount" CHECK ("amount" >= 1)
);

CREATE TABLE "Fundraiser" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "guild" TEXT NOT NULL,
    "channel" TEXT NOT NULL,
    "member" TEXT NOT NULL,
    "public" BOOLEAN NOT NULL,
    "amount" BIGINT NOT NULL,
    "slots" INTEGER NOT NULL,
    "goal" BIGINT NOT NULL,
    "state" TEXT NOT NULL,
    "card" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "chargeId" TEXT,
    "request" TEXT,
    "credited" INTEGER NOT NULL DEFAULT 0,
    "given" BIGINT NOT NULL DEFAULT 0,
    "disabled" BOOLEAN NOT NULL DEFAULT false,
    "reason" TEXT,
    "createdAt" DATETIME NOT NULL,
    "endedAt" DATETIME,
    CONSTRAINT "Fundraiser_amount" CHECK ("amount" >= 1 AND "goal" >= 1 AND "slots" BETWEEN 1 AND 10000 AND "slots" * "amount" >= "goal"),
    CONSTRAINT "Fundraiser_state" CHECK ("state" IN ('creating', 'open', 'reached', 'closed', 'failed')),
    CONSTRAINT "Fundraiser_charge" CHECK ("state" IN ('creating', 'failed') OR ("chargeId" IS NOT NULL AND "request" IS NOT NULL)),
    CONSTRAINT "Fundraiser_ended" CHECK (("state" IN ('reached', 'closed')) = ("endedAt" IS NOT NULL)),
    CONSTRAINT "Fundraiser_counts" CHECK ("credited" >= 0 AND "given" >= 0)
);

-- What the holders of a role may each give away in a period.
CREATE TABLE "Budget" (
    "guild" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "period" TEXT NOT NULL,
    PRIMARY KEY ("guild", "role"),
    CONSTRAINT "Budget_amount" CHECK ("amount" >= 1),
    CONSTRAINT "Budget_period" CHECK ("period" IN ('day', 'week', 'month'))
);

CREATE TABLE "Reward" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "guild" TEXT NOT NULL,
    "channel" TEXT NOT NULL,
    "requester" TEXT NOT NULL,
    "recipient" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "reason" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "decider" TEXT,
    "budgetKey" TEXT NOT NULL,
    "budgetDay" TEXT NOT NULL,
    "card" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "decidedAt" DATETIME,
    CONSTRAINT "Reward_amount" CHECK ("amount" >= 1),
    CONSTRAINT "Reward_reason" CHECK (length(trim("reason")) >= 1),
    CONSTRAINT "Reward_state" CHECK ("state" IN ('asked', 'paid', 'denied')),
    CONSTRAINT "Reward_people" CHECK ("requester" <> "recipient"),
    -- Whoever says yes is neither who asked nor who gets it.
    CONSTRAINT "Reward_approver" CHECK ("state" <> 'paid' OR "decider" IS NULL OR "decider" NOT IN ("requester", "recipient")),
    CONSTRAINT "Reward_decided" CHECK (("state" = 'asked') = ("decidedAt" IS NULL))
);

CREATE INDEX "PoolGift_fundraiserId_idx" ON "PoolGift"("fundraiserId");
CREATE UNIQUE INDEX "Fundraiser_key_key" ON "Fundraiser"("key");
CREATE UNIQUE INDEX "Fundraiser_chargeId_key" ON "Fundraiser"("chargeId");
CREATE INDEX "Fundraiser_guild_state_idx" ON "Fundraiser"("guild", "state");
CREATE INDEX "Reward_guild_createdAt_idx" ON "Reward"("guild", "createdAt");
