-- Zaps (NIP-57): what an invoice commits to, who zapped, the receipts that relays still lack, and the key that signs them.

ALTER TABLE "Invoice" ADD COLUMN "zapRequest" TEXT NOT NULL DEFAULT '';
ALTER TABLE "StaticChargePayment" ADD COLUMN "zapper" TEXT NOT NULL DEFAULT '';

CREATE TABLE "ZapReceipt" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "paymentHash" TEXT NOT NULL,
    "relay" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "nextAttemptAt" DATETIME NOT NULL
);
CREATE INDEX "ZapReceipt_nextAttemptAt_idx" ON "ZapReceipt"("nextAttemptAt");

CREATE TABLE "NostrKey" (
    "id" INTEGER NOT NULL PRIMARY KEY,
    "secretKey" TEXT NOT NULL,
    CONSTRAINT "NostrKey_one" CHECK ("id" = 1 AND length("secretKey") = 64)
);
