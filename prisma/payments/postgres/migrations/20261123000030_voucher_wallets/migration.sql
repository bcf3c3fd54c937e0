-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- Any wallet redeems a voucher, by an LNURL with a secret of its own.

ALTER TABLE "Voucher" ADD COLUMN "walletSecret" TEXT COLLATE "C";
ALTER TABLE "Voucher" ADD COLUMN "walletAmount" BIGINT;
CREATE UNIQUE INDEX "Voucher_walletSecret_key" ON "Voucher"("walletSecret");

ALTER TABLE "Payment" ADD COLUMN "voucherId" TEXT COLLATE "C";
CREATE INDEX "Payment_voucherId_idx" ON "Payment"("voucherId");

-- While a payment may still settle, nobody else claims the same voucher.
CREATE UNIQUE INDEX "Payment_voucher_live" ON "Payment"("voucherId") WHERE "voucherId" IS NOT NULL AND "status" <> 'failed';
