-- A voucher may end by itself: it is revoked then, and its sats go back.

ALTER TABLE "Voucher" ADD COLUMN "expiresAt" DATETIME;
-- Of those that never end, and of those that have, nothing is looked for.
CREATE INDEX "Voucher_ending" ON "Voucher"("expiresAt") WHERE "expiresAt" IS NOT NULL AND "redeemedAt" IS NULL AND "revokedAt" IS NULL;
