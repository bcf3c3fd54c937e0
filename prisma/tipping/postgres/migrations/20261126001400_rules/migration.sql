-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- Rewards that run by themselves: a rule pays from the pool when something happens.
CREATE TABLE "Rule" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "guild" TEXT COLLATE "C" NOT NULL,
    "owner" TEXT COLLATE "C" NOT NULL,
    "recipe" TEXT COLLATE "C" NOT NULL,
    "role" TEXT COLLATE "C",
    "emoji" TEXT COLLATE "C",
    "days" INTEGER,
    "amount" BIGINT NOT NULL,
    "budget" BIGINT NOT NULL,
    "reason" TEXT COLLATE "C" NOT NULL,
    "state" TEXT COLLATE "C" NOT NULL,
    "stoppedBy" TEXT COLLATE "C",
    "trouble" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    CONSTRAINT "Rule_amount" CHECK ("amount" >= 1 AND "budget" >= "amount"),
    CONSTRAINT "Rule_days" CHECK ("days" IS NULL OR "days" >= 1),
    CONSTRAINT "Rule_state" CHECK ("state" IN ('trial', 'on', 'stopped'))
);
CREATE INDEX "Rule_guild_state_idx" ON "Rule"("guild", "state");

-- What a rule on trial would have paid for, once for each event.
CREATE TABLE "RuleTrial" (
    "ruleId" TEXT COLLATE "C" NOT NULL,
    "event" TEXT COLLATE "C" NOT NULL,
    "recipient" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    PRIMARY KEY ("ruleId", "event")
);

ALTER TABLE "Reward" ADD COLUMN "rule" TEXT COLLATE "C";
CREATE INDEX "Reward_rule_idx" ON "Reward"("rule");
ALTER TABLE "RuleTrial" ADD CONSTRAINT "RuleTrial_ruleId_fkey" FOREIGN KEY ("ruleId") REFERENCES "Rule" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
