-- A server's pool pays for drops, giveaways, rain, tips and vouchers too. Each is a reward: it takes from a budget, has a reason, and may need
-- a second moderator.

ALTER TABLE "Reward" ADD COLUMN "kind" TEXT NOT NULL DEFAULT 'reward' CHECK ("kind" IN ('reward', 'tip', 'rain', 'drop', 'giveaway', 'voucher', 'vouchers', 'list'));
-- What is to be given once it is approved, as JSON.
ALTER TABLE "Reward" ADD COLUMN "gift" TEXT;
-- What was given: the id of the tip, the drop, the giveaway, the voucher.
ALTER TABLE "Reward" ADD COLUMN "record" TEXT;
CREATE UNIQUE INDEX "Reward_record_key" ON "Reward"("record");

-- Whom a moderator chose to get how much of a reward; nobody, where the first who come get it.
CREATE TABLE "RewardShare" (
    "rewardId" TEXT NOT NULL,
    "recipient" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    PRIMARY KEY ("rewardId", "recipient"),
    CONSTRAINT "RewardShare_rewardId_fkey" FOREIGN KEY ("rewardId") REFERENCES "Reward" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "RewardShare_amount" CHECK ("amount" >= 1)
);
CREATE INDEX "RewardShare_recipient_idx" ON "RewardShare"("recipient");
INSERT INTO "RewardShare" ("rewardId", "recipient", "amount") SELECT "id", "recipient", "amount" FROM "Reward";

-- The server whose pool paid for it, and gets back what nobody takes; null: its maker.
ALTER TABLE "Drop" ADD COLUMN "pool" TEXT;
ALTER TABLE "Giveaway" ADD COLUMN "pool" TEXT;
ALTER TABLE "Voucher" ADD COLUMN "pool" TEXT;
