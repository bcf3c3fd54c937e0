-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- Operators end, with evidence, a payment of which the node proves no end.

CREATE TABLE "PaymentDecision" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "paymentId" TEXT COLLATE "C" NOT NULL,
    "outcome" TEXT COLLATE "C" NOT NULL CHECK ("outcome" IN ('paid', 'failed')),
    "preimage" TEXT COLLATE "C",
    "state" TEXT COLLATE "C" NOT NULL CHECK ("state" IN ('proposed', 'done', 'replaced')),
    "by" TEXT COLLATE "C" NOT NULL,
    "evidence" TEXT COLLATE "C" NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
    "secondBy" TEXT COLLATE "C",
    "secondEvidence" TEXT COLLATE "C",
    "secondAt" TIMESTAMP(3),
    -- One word is not proof, unless it is a preimage.
    CHECK ("state" <> 'done' OR "preimage" IS NOT NULL OR ("secondBy" IS NOT NULL AND "secondBy" <> "by"))
);

CREATE INDEX "PaymentDecision_paymentId_idx" ON "PaymentDecision"("paymentId");
CREATE UNIQUE INDEX "PaymentDecision_one_open" ON "PaymentDecision"("paymentId") WHERE "state" = 'proposed';
CREATE UNIQUE INDEX "PaymentDecision_one_done" ON "PaymentDecision"("paymentId") WHERE "state" = 'done';

CREATE OR REPLACE FUNCTION "PaymentDecision_done_stays"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  IF OLD."state" <> 'proposed' THEN
    RAISE EXCEPTION 'what operators decided stays' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER "PaymentDecision_done_stays" BEFORE UPDATE ON "PaymentDecision" FOR EACH ROW EXECUTE FUNCTION "PaymentDecision_done_stays"();

CREATE OR REPLACE FUNCTION "PaymentDecision_stays"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  RAISE EXCEPTION 'what operators said is never forgotten' USING ERRCODE = 'check_violation';
  RETURN OLD;
END
$body$;
CREATE TRIGGER "PaymentDecision_stays" BEFORE DELETE ON "PaymentDecision" FOR EACH ROW EXECUTE FUNCTION "PaymentDecision_stays"();
