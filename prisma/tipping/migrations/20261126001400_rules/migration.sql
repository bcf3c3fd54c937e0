-- Rewards that run by themselves: a rule pays from the pool when something happens.
CREATE TABLE "Rule" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "guild" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "recipe" TEXT NOT NULL,
    "role" TEXT,
    "emoji" TEXT,
    "days" INTEGER,
    "amount" BIGINT NOT NULL,
    "budget" BIGINT NOT NULL,
    "reason" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "stoppedBy" TEXT,
    "trouble" TEXT,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "Rule_amount" CHECK ("amount" >= 1 AND "budget" >= "amount"),
    CONSTRAINT "Rule_days" CHECK ("days" IS NULL OR "days" >= 1),
    CONSTRAINT "Rule_state" CHECK ("state" IN ('trial', 'on', 'stopped'))
);
CREATE INDEX "Rule_guild_state_idx" ON "Rule"("guild", "state");

-- What a rule on trial would have paid for, once for each event.
CREATE TABLE "RuleTrial" (
    "ruleId" TEXT NOT NULL,
    "event" TEXT NOT NULL,
    "recipient" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    PRIMARY KEY ("ruleId", "event"),
    CONSTRAINT "RuleTrial_ruleId_fkey" FOREIGN KEY ("ruleId") REFERENCES "Rule" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

ALTER TABLE "Reward" ADD COLUMN "rule" TEXT;
CREATE INDEX "Reward_rule_idx" ON "Reward"("rule");
