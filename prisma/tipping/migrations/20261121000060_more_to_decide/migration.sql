-- Operators decide vouchers and redemptions too, and book what moved outside members' commands.

-- What came with a code only operators can say, so it is part of their word.
CREATE TABLE "NewDecision" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "kind" TEXT NOT NULL,
    "payment" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "amount" BIGINT,
    "state" TEXT NOT NULL,
    "proposedBy" TEXT NOT NULL,
    "proposedReason" TEXT NOT NULL,
    "proposedAt" DATETIME NOT NULL,
    "secondedBy" TEXT,
    "secondedReason" TEXT,
    "secondedAt" DATETIME,
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

CREATE TRIGGER "Decision_no_delete" BEFORE DELETE ON "Decision" BEGIN SELECT RAISE(ABORT, 'decisions stay on the record'); END;
CREATE TRIGGER "Decision_final" BEFORE UPDATE ON "Decision" WHEN OLD."state" <> 'proposed'
BEGIN SELECT RAISE(ABORT, 'a decision is changed by a further one'); END;

-- What came in or went out without a command of a member's, as two operators say. Its id is its operation's.
CREATE TABLE "Booking" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "what" TEXT NOT NULL,
    "member" TEXT,
    "amount" BIGINT NOT NULL,
    "state" TEXT NOT NULL,
    "proposedBy" TEXT NOT NULL,
    "proposedReason" TEXT NOT NULL,
    "proposedAt" DATETIME NOT NULL,
    "secondedBy" TEXT,
    "secondedReason" TEXT,
    "secondedAt" DATETIME,
    CONSTRAINT "Booking_what" CHECK ("what" IN ('top-up', 'take-out', 'suspense')),
    CONSTRAINT "Booking_member" CHECK ("member" IS NULL OR "what" = 'suspense'),
    CONSTRAINT "Booking_amount" CHECK ("amount" >= 1),
    CONSTRAINT "Booking_state" CHECK ("state" IN ('proposed', 'lapsed', 'done')),
    CONSTRAINT "Booking_by_two" CHECK (("state" = 'done') = ("secondedBy" IS NOT NULL) AND ("secondedBy" IS NULL OR "secondedBy" <> "proposedBy")),
    CONSTRAINT "Booking_seconded" CHECK (("secondedBy" IS NULL) = ("secondedAt" IS NULL) AND ("secondedBy" IS NULL) = ("secondedReason" IS NULL))
);

CREATE INDEX "Booking_state_idx" ON "Booking"("state");

CREATE TRIGGER "Booking_no_delete" BEFORE DELETE ON "Booking" BEGIN SELECT RAISE(ABORT, 'bookings stay on the record'); END;
CREATE TRIGGER "Booking_final" BEFORE UPDATE ON "Booking" WHEN OLD."state" <> 'proposed'
BEGIN SELECT RAISE(ABORT, 'a booking is corrected by a further one'); END;

-- Since when it is to be taken back.
ALTER TABLE "Voucher" ADD COLUMN "revokeAskedAt" DATETIME;
