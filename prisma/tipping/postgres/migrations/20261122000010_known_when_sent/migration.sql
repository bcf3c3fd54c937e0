-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- Whether the provider was known to replay keys when a thing was sent: its key is sent again only then. Of what was sent
-- before this was written down nobody knows it, so that is only read.

ALTER TABLE "Payout" ADD COLUMN "replays" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "Withdrawal" ADD COLUMN "replays" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "Voucher" ADD COLUMN "replays" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "Redemption" ADD COLUMN "replays" BOOLEAN NOT NULL DEFAULT false;

-- What a redeemed code must bring, where it was made here: no other amount is believed.

ALTER TABLE "Redemption" ADD COLUMN "worth" BIGINT CONSTRAINT "Redemption_worth" CHECK ("worth" IS NULL OR "worth" > 0);
