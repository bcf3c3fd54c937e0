-- Which processes work on this book, and which of its jobs each of them has. A payment belongs to the process that sends it.

CREATE TABLE "Lease" (
    "name" TEXT NOT NULL PRIMARY KEY,
    "holder" TEXT NOT NULL,
    "fence" INTEGER NOT NULL,
    "renewedAt" DATETIME NOT NULL,
    CONSTRAINT "Lease_fence" CHECK ("fence" >= 1)
);

CREATE TRIGGER "Lease_fence_grows" BEFORE UPDATE ON "Lease" WHEN NEW."fence" <= OLD."fence"
BEGIN SELECT RAISE(ABORT, 'the fencing number of a lease only grows'); END;

ALTER TABLE "Payment" ADD COLUMN "sender" TEXT;
ALTER TABLE "Payment" ADD COLUMN "absentSince" DATETIME;

CREATE TRIGGER "Payment_has_sender" BEFORE UPDATE OF "status" ON "Payment" WHEN NEW."status" = 'sending' AND NEW."sender" IS NULL
BEGIN SELECT RAISE(ABORT, 'a payment that is being sent has a sender'); END;
