-- A deposit's code as a BOLT11 invoice, for wallets that read nothing else; until it expires.

ALTER TABLE "Deposit" ADD COLUMN "invoice" TEXT;
ALTER TABLE "Deposit" ADD COLUMN "invoiceExpiresAt" DATETIME;
