-- Many codes that are paid for at once. Each is a voucher of its own, that knows its batch and its number there.
CREATE TABLE "VoucherBatch" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "member" TEXT NOT NULL,
    "guild" TEXT,
    "card" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "count" INTEGER NOT NULL,
    "description" TEXT NOT NULL,
    "pool" TEXT,
    "state" TEXT NOT NULL,
    "expiresAt" DATETIME,
    "createdAt" DATETIME NOT NULL,
    "closedAt" DATETIME,
    CONSTRAINT "VoucherBatch_amount" CHECK ("amount" >= 1000),
    CONSTRAINT "VoucherBatch_count" CHECK ("count" BETWEEN 1 AND 1000),
    CONSTRAINT "VoucherBatch_state" CHECK ("state" IN ('open', 'closed') AND ("state" = 'closed') = ("closedAt" IS NOT NULL))
);
CREATE INDEX "VoucherBatch_member_createdAt_idx" ON "VoucherBatch"("member", "createdAt");

ALTER TABLE "Voucher" ADD COLUMN "batchId" TEXT REFERENCES "VoucherBatch"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "Voucher" ADD COLUMN "number" INTEGER CHECK (("number" IS NULL) = ("batchId" IS NULL) AND ("number" IS NULL OR "number" BETWEEN 1 AND 1000));
CREATE UNIQUE INDEX "Voucher_batchId_number_key" ON "Voucher"("batchId", "number");
