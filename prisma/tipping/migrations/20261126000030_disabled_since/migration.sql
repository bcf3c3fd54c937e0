-- Since when a charge takes no more payments: long after that, nothing can arrive, and it is read no more.

ALTER TABLE "Deposit" ADD COLUMN "disabledSince" DATETIME;
ALTER TABLE "Fundraiser" ADD COLUMN "disabledSince" DATETIME;
