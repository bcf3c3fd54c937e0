-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- What a payer said about themselves (LUD-18): the text that the invoice commits to, and the same with its payment.

ALTER TABLE "Invoice" ADD COLUMN "payerData" TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE "StaticChargePayment" ADD COLUMN "payerData" TEXT COLLATE "C" NOT NULL DEFAULT '';
