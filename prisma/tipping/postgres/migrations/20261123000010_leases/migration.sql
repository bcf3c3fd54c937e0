-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- Which bots work on this book, and which of its jobs each of them has. What is about to be sent, and a charge that is being created,
-- belongs to the process that began it.

CREATE TABLE "Lease" (
    "name" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "holder" TEXT COLLATE "C" NOT NULL,
    "fence" INTEGER NOT NULL,
    "renewedAt" TIMESTAMP(3) NOT NULL,
    CONSTRAINT "Lease_fence" CHECK ("fence" >= 1)
);

CREATE OR REPLACE FUNCTION "Lease_fence_grows"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  IF NEW."fence" <= OLD."fence" THEN
    RAISE EXCEPTION 'the fencing number of a lease only grows' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER "Lease_fence_grows" BEFORE UPDATE ON "Lease" FOR EACH ROW EXECUTE FUNCTION "Lease_fence_grows"();

ALTER TABLE "Payout" ADD COLUMN "process" TEXT COLLATE "C";
ALTER TABLE "Withdrawal" ADD COLUMN "process" TEXT COLLATE "C";
ALTER TABLE "Voucher" ADD COLUMN "process" TEXT COLLATE "C";
ALTER TABLE "Redemption" ADD COLUMN "process" TEXT COLLATE "C";
ALTER TABLE "Deposit" ADD COLUMN "process" TEXT COLLATE "C";
ALTER TABLE "Fundraiser" ADD COLUMN "process" TEXT COLLATE "C";
ALTER TABLE "Invoice" ADD COLUMN "process" TEXT COLLATE "C";

CREATE OR REPLACE FUNCTION "Payout_has_process"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  IF OLD."state" = 'reserved' AND NEW."state" = 'sending' AND NEW."process" IS NULL THEN
    RAISE EXCEPTION 'a payout that is being sent belongs to a process' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER "Payout_has_process" BEFORE UPDATE OF "state" ON "Payout" FOR EACH ROW EXECUTE FUNCTION "Payout_has_process"();
CREATE OR REPLACE FUNCTION "Withdrawal_has_process"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  IF OLD."state" = 'reserved' AND NEW."state" = 'sending' AND NEW."process" IS NULL THEN
    RAISE EXCEPTION 'a withdrawal that is being sent belongs to a process' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER "Withdrawal_has_process" BEFORE UPDATE OF "state" ON "Withdrawal" FOR EACH ROW EXECUTE FUNCTION "Withdrawal_has_process"();
CREATE OR REPLACE FUNCTION "Voucher_has_process"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  IF OLD."state" = 'reserved' AND NEW."state" = 'sending' AND NEW."process" IS NULL THEN
    RAISE EXCEPTION 'a voucher that is being made belongs to a process' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER "Voucher_has_process" BEFORE UPDATE OF "state" ON "Voucher" FOR EACH ROW EXECUTE FUNCTION "Voucher_has_process"();
