-- Where the provider offers it, any wallet claims a voucher: by which LNURL, and what arrives there.

ALTER TABLE "Voucher" ADD COLUMN "walletRequest" TEXT;
ALTER TABLE "Voucher" ADD COLUMN "walletAmount" BIGINT;
