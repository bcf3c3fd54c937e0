-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- A server's reward pool: what fills it, who may pay from it, and what was paid.

CREATE TABLE "PoolGift" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "guild" TEXT COLLATE "C" NOT NULL,
    "member" TEXT COLLATE "C" NOT NULL,
    "amount" BIGINT NOT NULL,
    "fundraiserId" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    CONSTRAINT "PoolGift_amount" CHECK ("amount" >= 1)
);

CREATE TABLE "Fundraiser" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "guild" TEXT COLLATE "C" NOT NULL,
    "channel" TEXT COLLATE "C" NOT NULL,
    "member" TEXT COLLATE "C" NOT NULL,
    "public" BOOLEAN NOT NULL,
    "amount" BIGINT NOT NULL,
    "slots" INTEGER NOT NULL,
    "goal" BIGINT NOT NULL,
    "state" TEXT COLLATE "C" NOT NULL,
    "card" TEXT COLLATE "C" NOT NULL,
    "key" TEXT COLLATE "C" NOT NULL,
    "provider" TEXT COLLATE "C" NOT NULL,
    "chargeId" TEXT COLLATE "C",
    "request" TEXT COLLATE "C",
    "credited" INTEGER NOT NULL DEFAULT 0,
    "given" BIGINT NOT NULL DEFAULT 0,
    "disabled" BOOLEAN NOT NULL DEFAULT false,
    "reason" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    "endedAt" TIMESTAMP(3),
    CONSTRAINT "Fundraiser_amount" CHECK ("amount" >= 1 AND "goal" >= 1 AND "slots" BETWEEN 1 AND 10000 AND "slots" * "amount" >= "goal"),
    CONSTRAINT "Fundraiser_state" CHECK ("state" IN ('creating', 'open', 'reached', 'closed', 'failed')),
    CONSTRAINT "Fundraiser_charge" CHECK ("state" IN ('creating', 'failed') OR ("chargeId" IS NOT NULL AND "request" IS NOT NULL)),
    CONSTRAINT "Fundraiser_ended" CHECK (("state" IN ('reached', 'closed')) = ("endedAt" IS NOT NULL)),
    CONSTRAINT "Fundraiser_counts" CHECK ("credited" >= 0 AND "given" >= 0)
);

-- What the holders of a role may each give away in a period.
CREATE TABLE "Budget" (
    "guild" TEXT COLLATE "C" NOT NULL,
    "role" TEXT COLLATE "C" NOT NULL,
    "amount" BIGINT NOT NULL,
    "period" TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY ("guild", "role"),
    CONSTRAINT "Budget_amount" CHECK ("amount" >= 1),
    CONSTRAINT "Budget_period" CHECK ("period" IN ('day', 'week', 'month'))
);

CREATE TABLE "Reward" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "guild" TEXT COLLATE "C" NOT NULL,
    "channel" TEXT COLLATE "C" NOT NULL,
    "requester" TEXT COLLATE "C" NOT NULL,
    "recipient" TEXT COLLATE "C" NOT NULL,
    "amount" BIGINT NOT NULL,
    "reason" TEXT COLLATE "C" NOT NULL,
    "state" TEXT COLLATE "C" NOT NULL,
    "decider" TEXT COLLATE "C",
    "budgetKey" TEXT COLLATE "C" NOT NULL,
    "budgetDay" TEXT COLLATE "C" NOT NULL,
    "card" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "decidedAt" TIMESTAMP(3),
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
ALTER TABLE "PoolGift" ADD CONSTRAINT "PoolGift_fundraiserId_fkey" FOREIGN KEY ("fundraiserId") REFERENCES "Fundraiser" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
