-- Operators give away, once, what waits on the suspense account.

ALTER TABLE "UnclaimedReceipt" ADD COLUMN "note" TEXT NOT NULL DEFAULT '';
ALTER TABLE "UnclaimedReceipt" ADD COLUMN "givenTo" TEXT;
ALTER TABLE "UnclaimedReceipt" ADD COLUMN "givenBy" TEXT;
ALTER TABLE "UnclaimedReceipt" ADD COLUMN "givenReason" TEXT;
ALTER TABLE "UnclaimedReceipt" ADD COLUMN "givenAt" DATETIME;
ALTER TABLE "UnclaimedReceipt" ADD COLUMN "toldAt" DATETIME;

-- Each settlement is looked for here, and strangers may send many.
CREATE INDEX "UnclaimedReceipt_paymentHash_idx" ON "UnclaimedReceipt"("paymentHash");
CREATE INDEX "UnclaimedReceipt_untold" ON "UnclaimedReceipt"("givenAt") WHERE "givenAt" IS NOT NULL AND "toldAt" IS NULL;

CREATE TRIGGER "UnclaimedReceipt_given_once" BEFORE UPDATE ON "UnclaimedReceipt" WHEN OLD."givenAt" IS NOT NULL AND
(NEW."givenAt" IS NOT OLD."givenAt" OR NEW."givenTo" IS NOT OLD."givenTo" OR NEW."givenBy" IS NOT OLD."givenBy" OR NEW."givenReason" IS NOT OLD."givenReason")
BEGIN SELECT RAISE(ABORT, 'a receipt is given once, and who gave it stays'); END;

CREATE TRIGGER "UnclaimedReceipt_stays" BEFORE DELETE ON "UnclaimedReceipt"
BEGIN SELECT RAISE(ABORT, 'what arrived without an owner is never forgotten'); END;
