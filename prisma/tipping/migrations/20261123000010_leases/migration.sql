-- Which bots work on this book, and which of its jobs each of them has. What is about to be sent, and a charge that is being created,
-- belongs to the process that began it.

CREATE TABLE "Lease" (
    "name" TEXT NOT NULL PRIMARY KEY,
    "holder" TEXT NOT NULL,
    "fence" INTEGER NOT NULL,
    "renewedAt" DATETIME NOT NULL,
    CONSTRAINT "Lease_fence" CHECK ("fence" >= 1)
);

CREATE TRIGGER "Lease_fence_grows" BEFORE UPDATE ON "Lease" WHEN NEW."fence" <= OLD."fence"
BEGIN SELECT RAISE(ABORT, 'the fencing number of a lease only grows'); END;

ALTER TABLE "Payout" ADD COLUMN "process" TEXT;
ALTER TABLE "Withdrawal" ADD COLUMN "process" TEXT;
ALTER TABLE "Voucher" ADD COLUMN "process" TEXT;
ALTER TABLE "Redemption" ADD COLUMN "process" TEXT;
ALTER TABLE "Deposit" ADD COLUMN "process" TEXT;
ALTER TABLE "Fundraiser" ADD COLUMN "process" TEXT;
ALTER TABLE "Invoice" ADD COLUMN "process" TEXT;

CREATE TRIGGER "Payout_has_process" BEFORE UPDATE OF "state" ON "Payout" WHEN OLD."state" = 'reserved' AND NEW."state" = 'sending' AND NEW."process" IS NULL
BEGIN SELECT RAISE(ABORT, 'a payout that is being sent belongs to a process'); END;
CREATE TRIGGER "Withdrawal_has_process" BEFORE UPDATE OF "state" ON "Withdrawal" WHEN OLD."state" = 'reserved' AND NEW."state" = 'sending' AND NEW."process" IS NULL
BEGIN SELECT RAISE(ABORT, 'a withdrawal that is being sent belongs to a process'); END;
CREATE TRIGGER "Voucher_has_process" BEFORE UPDATE OF "state" ON "Voucher" WHEN OLD."state" = 'reserved' AND NEW."state" = 'sending' AND NEW."process" IS NULL
BEGIN SELECT RAISE(ABORT, 'a voucher that is being made belongs to a process'); END;
