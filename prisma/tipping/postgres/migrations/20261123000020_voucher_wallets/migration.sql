-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- Where the provider offers it, any wallet claims a voucher: by which LNURL, and what arrives there.

ALTER TABLE "Voucher" ADD COLUMN "walletRequest" TEXT COLLATE "C";
ALTER TABLE "Voucher" ADD COLUMN "walletAmount" BIGINT;
