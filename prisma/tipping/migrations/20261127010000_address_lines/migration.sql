-- Lines of lists that pay Lightning Addresses out of a pool. A line holds its sats until it has an invoice; from then on a withdrawal with
-- the line's id holds them, which is the pool's.
CREATE TABLE "AddressLine" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "listId" TEXT NOT NULL,
    "line" INTEGER NOT NULL,
    "guild" TEXT NOT NULL,
    "member" TEXT NOT NULL,
    "card" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "feeLimit" BIGINT NOT NULL,
    "state" TEXT NOT NULL,
    "problem" TEXT,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "restored" BOOLEAN NOT NULL DEFAULT false,
    "process" TEXT,
    "createdAt" DATETIME NOT NULL,
    "endedAt" DATETIME,
    CONSTRAINT "AddressLine_amount" CHECK ("amount" >= 1000 AND "feeLimit" >= 0),
    CONSTRAINT "AddressLine_state" CHECK ("state" IN ('waiting', 'sent', 'returned') AND ("state" = 'returned') = ("endedAt" IS NOT NULL))
);
CREATE UNIQUE INDEX "AddressLine_listId_line_key" ON "AddressLine"("listId", "line");
CREATE INDEX "AddressLine_state_idx" ON "AddressLine"("state");
CREATE INDEX "AddressLine_member_createdAt_idx" ON "AddressLine"("member", "createdAt");

ALTER TABLE "Withdrawal" ADD COLUMN "pool" TEXT CHECK ("pool" IS NULL OR ("kind" = 'address' AND NOT "forwarded"));
