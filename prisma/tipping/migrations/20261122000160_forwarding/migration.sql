-- Tips that are sent on to a member's Lightning Address, and what stays here.

ALTER TABLE "Member" ADD COLUMN "keepHere" BIGINT NOT NULL DEFAULT 0 CHECK ("keepHere" >= 0);
ALTER TABLE "Member" ADD COLUMN "forwardTo" TEXT;
ALTER TABLE "Member" ADD COLUMN "forwardDue" BIGINT NOT NULL DEFAULT 0 CHECK ("forwardDue" >= 0);
ALTER TABLE "Member" ADD COLUMN "forwardAfter" DATETIME;
ALTER TABLE "Member" ADD COLUMN "forwardFailures" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "Member" ADD COLUMN "forwardProblem" TEXT;

ALTER TABLE "Withdrawal" ADD COLUMN "forwarded" BOOLEAN NOT NULL DEFAULT false;

-- Of one member, one forwarded payment at a time is on its way.
CREATE UNIQUE INDEX "Withdrawal_forwarded_open" ON "Withdrawal"("member") WHERE "forwarded" AND "state" IN ('reserved', 'sending', 'unknown');
