-- A list of people that a pool pays: which line of its file somebody was on, and what for.
ALTER TABLE "RewardShare" ADD COLUMN "line" INTEGER CHECK ("line" >= 1);
ALTER TABLE "RewardShare" ADD COLUMN "reason" TEXT;
