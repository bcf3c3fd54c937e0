-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- Operators decide vouchers and redemptions too, and book what moved outside members' commands.

-- What came with a code only operators can say, so it is part of their word.
CREATE TABLE "NewDecision" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "kind" TEXT COLLATE "C" NOT NULL,
    "payment" TEXT COLLATE "C" NOT NULL,
    "outcome" TEXT COLLATE "C" NOT NULL,
    "amount" BIGINT,
    "state" TEXT COLLATE "C" NOT NULL,
    "proposedBy" TEXT COLLATE "C" NOT NULL,
    "proposedReason" TEXT COLLATE "C" NOT NULL,
    "proposedAt" TIMESTAMP(3) NOT NULL,
    "secondedBy" TEXT COLLATE "C",
    "secondedReason" TEXT COLLATE "C",
    "secondedAt" TIMESTAMP(3),
    CONSTRAINT "Decision_kind" CHECK ("kind" IN ('payout', 'withdrawal', 'voucher', 'revocation', 'redemption')),
    CONSTRAINT "Decision_outcome" CHECK ("outcome" IN ('paid', 'failed')),
    CONSTRAINT "Decision_amount" CHECK (("amount" IS NOT NULL) = ("kind" = 'redemption' AND "outcome" = 'paid') AND ("amount" IS NULL OR "amount" >= 1)),
    CONSTRAINT "Decision_state" CHECK ("state" IN ('proposed', 'replaced', 'overtaken', 'done')),
    CONSTRAINT "Decision_by_two" CHECK (("state" = 'done') = ("secondedBy" IS NOT NULL) AND ("secondedBy" IS NULL OR "secondedBy" <> "proposedBy")),
    CONSTRAINT "Decision_seconded" CHECK (("secondedBy" IS NULL) = ("secondedAt" IS NULL) AND ("secondedBy" IS NULL) = ("secondedReason" IS NULL))
);

INSERT INTO "NewDecision" ("id", "kind", "payment", "outcome", "state", "proposedBy", "proposedReason", "proposedAt", "secondedBy", "secondedReason", "secondedAt")
SELECT "id", "kind", "payment", "outcome", "state", "proposedBy", "proposedReason", "proposedAt", "secondedBy", "secondedReason", "secondedAt" FROM "Decision";

DROP TABLE "Decision";

ALTER TABLE "NewDecision" RENAME TO "Decision";

CREATE INDEX "Decision_payment_idx" ON "Decision"("payment");

-- One proposal at a time for each payment.
CREATE UNIQUE INDEX "Decision_proposed" ON "Decision"("payment") WHERE "state" = 'proposed';

CREATE OR REPLACE FUNCTION "Decision_no_delete"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  RAISE EXCEPTION 'decisions stay on the record' USING ERRCODE = 'check_violation';
  RETURN OLD;
END
$body$;
CREATE TRIGGER "Decision_no_delete" BEFORE DELETE ON "Decision" FOR EACH ROW EXECUTE FUNCTION "Decision_no_delete"();
CREATE OR REPLACE FUNCTION "Decision_final"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  IF OLD."state" <> 'proposed' THEN
    RAISE EXCEPTION 'a decision is changed by a further one' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER "Decision_final" BEFORE UPDATE ON "Decision" FOR EACH ROW EXECUTE FUNCTION "Decision_final"();

-- What came in or went out without a command of a member's, as two operators say. Its id is its operation's.
CREATE TABLE "Booking" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "what" TEXT COLLATE "C" NOT NULL,
    "member" TEXT COLLATE "C",
    "amount" BIGINT NOT NULL,
    "state" TEXT COLLATE "C" NOT NULL,
    "proposedBy" TEXT COLLATE "C" NOT NULL,
    "proposedReason" TEXT COLLATE "C" NOT NULL,
    "proposedAt" TIMESTAMP(3) NOT NULL,
    "secondedBy" TEXT COLLATE "C",
    "secondedReason" TEXT COLLATE "C",
    "secondedAt" TIMESTAMP(3),
    CONSTRAINT "Booking_what" CHECK ("what" IN ('top-up', 'take-out', 'suspense')),
    CONSTRAINT "Booking_member" CHECK ("member" IS NULL OR "what" = 'suspense'),
    CONSTRAINT "Booking_amount" CHECK ("amount" >= 1),
    CONSTRAINT "Booking_state" CHECK ("state" IN ('proposed', 'lapsed', 'done')),
    CONSTRAINT "Booking_by_two" CHECK (("state" = 'done') = ("secondedBy" IS NOT NULL) AND ("secondedBy" IS NULL OR "secondedBy" <> "proposedBy")),
    CONSTRAINT "Booking_seconded" CHECK (("secondedBy" IS NULL) = ("secondedAt" IS NULL) AND ("secondedBy" IS NULL) = ("secondedReason" IS NULL))
);

CREATE INDEX "Booking_state_idx" ON "Booking"("state");

CREATE OR REPLACE FUNCTION "Booking_no_delete"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  RAISE EXCEPTION 'bookings stay on the record' USING ERRCODE = 'check_violation';
  RETURN OLD;
END
$body$;
CREATE TRIGGER "Booking_no_delete" BEFORE DELETE ON "Booking" FOR EACH ROW EXECUTE FUNCTION "Booking_no_delete"();
CREATE OR REPLACE FUNCTION "Booking_final"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  IF OLD."state" <> 'proposed' THEN
    RAISE EXCEPTION 'a booking is corrected by a further one' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER "Booking_final" BEFORE UPDATE ON "Booking" FOR EACH ROW EXECUTE FUNCTION "Booking_final"();

-- Since when it is to be taken back.
ALTER TABLE "Voucher" ADD COLUMN "revokeAskedAt" TIMESTAMP(3);
