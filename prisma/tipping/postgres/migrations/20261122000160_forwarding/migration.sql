-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- Tips that are sent on to a member's Lightning Address, and what stays here.

ALTER TABLE "Member" ADD COLUMN "keepHere" BIGINT NOT NULL DEFAULT 0 CHECK ("keepHere" >= 0);
ALTER TABLE "Member" ADD COLUMN "forwardTo" TEXT COLLATE "C";
ALTER TABLE "Member" ADD COLUMN "forwardDue" BIGINT NOT NULL DEFAULT 0 CHECK ("forwardDue" >= 0);
ALTER TABLE "Member" ADD COLUMN "forwardAfter" TIMESTAMP(3);
ALTER TABLE "Member" ADD COLUMN "forwardFailures" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "Member" ADD COLUMN "forwardProblem" TEXT COLLATE "C";

ALTER TABLE "Withdrawal" ADD COLUMN "forwarded" BOOLEAN NOT NULL DEFAULT false;

-- Of one member, one forwarded payment at a time is on its way.
CREATE UNIQUE INDEX "Withdrawal_forwarded_open" ON "Withdrawal"("member") WHERE "forwarded" AND "state" IN ('reserved', 'sending', 'unknown');
