-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- Which processes work on this book, and which of its jobs each of them has. A payment belongs to the process that sends it.

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

ALTER TABLE "Payment" ADD COLUMN "sender" TEXT COLLATE "C";
ALTER TABLE "Payment" ADD COLUMN "absentSince" TIMESTAMP(3);

CREATE OR REPLACE FUNCTION "Payment_has_sender"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  IF NEW."status" = 'sending' AND NEW."sender" IS NULL THEN
    RAISE EXCEPTION 'a payment that is being sent has a sender' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER "Payment_has_sender" BEFORE UPDATE OF "status" ON "Payment" FOR EACH ROW EXECUTE FUNCTION "Payment_has_sender"();
