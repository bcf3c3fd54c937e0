-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- Operators give away, once, what waits on the suspense account.

ALTER TABLE "UnclaimedReceipt" ADD COLUMN "note" TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE "UnclaimedReceipt" ADD COLUMN "givenTo" TEXT COLLATE "C";
ALTER TABLE "UnclaimedReceipt" ADD COLUMN "givenBy" TEXT COLLATE "C";
ALTER TABLE "UnclaimedReceipt" ADD COLUMN "givenReason" TEXT COLLATE "C";
ALTER TABLE "UnclaimedReceipt" ADD COLUMN "givenAt" TIMESTAMP(3);
ALTER TABLE "UnclaimedReceipt" ADD COLUMN "toldAt" TIMESTAMP(3);

-- Each settlement is looked for here, and strangers may send many.
CREATE INDEX "UnclaimedReceipt_paymentHash_idx" ON "UnclaimedReceipt"("paymentHash");
CREATE INDEX "UnclaimedReceipt_untold" ON "UnclaimedReceipt"("givenAt") WHERE "givenAt" IS NOT NULL AND "toldAt" IS NULL;

CREATE OR REPLACE FUNCTION "UnclaimedReceipt_given_once"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  IF OLD."givenAt" IS NOT NULL AND
(NEW."givenAt" IS DISTINCT FROM OLD."givenAt" OR NEW."givenTo" IS DISTINCT FROM OLD."givenTo" OR NEW."givenBy" IS DISTINCT FROM OLD."givenBy" OR NEW."givenReason" IS DISTINCT FROM OLD."givenReason") THEN
    RAISE EXCEPTION 'a receipt is given once, and who gave it stays' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER "UnclaimedReceipt_given_once" BEFORE UPDATE ON "UnclaimedReceipt" FOR EACH ROW EXECUTE FUNCTION "UnclaimedReceipt_given_once"();

CREATE OR REPLACE FUNCTION "UnclaimedReceipt_stays"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  RAISE EXCEPTION 'what arrived without an owner is never forgotten' USING ERRCODE = 'check_violation';
  RETURN OLD;
END
$body$;
CREATE TRIGGER "UnclaimedReceipt_stays" BEFORE DELETE ON "UnclaimedReceipt" FOR EACH ROW EXECUTE FUNCTION "UnclaimedReceipt_stays"();
