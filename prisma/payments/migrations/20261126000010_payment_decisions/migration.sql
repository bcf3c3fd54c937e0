-- Operators end, with evidence, a payment of which the node proves no end.

CREATE TABLE "PaymentDecision" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "paymentId" TEXT NOT NULL,
    "outcome" TEXT NOT NULL CHECK ("outcome" IN ('paid', 'failed')),
    "preimage" TEXT,
    "state" TEXT NOT NULL CHECK ("state" IN ('proposed', 'done', 'replaced')),
    "by" TEXT NOT NULL,
    "evidence" TEXT NOT NULL,
    "at" DATETIME NOT NULL,
    "secondBy" TEXT,
    "secondEvidence" TEXT,
    "secondAt" DATETIME,
    -- One word is not proof, unless it is a preimage.
    CHECK ("state" <> 'done' OR "preimage" IS NOT NULL OR ("secondBy" IS NOT NULL AND "secondBy" <> "by"))
);

CREATE INDEX "PaymentDecision_paymentId_idx" ON "PaymentDecision"("paymentId");
CREATE UNIQUE INDEX "PaymentDecision_one_open" ON "PaymentDecision"("paymentId") WHERE "state" = 'proposed';
CREATE UNIQUE INDEX "PaymentDecision_one_done" ON "PaymentDecision"("paymentId") WHERE "state" = 'done';

CREATE TRIGGER "PaymentDecision_done_stays" BEFORE UPDATE ON "PaymentDecision" WHEN OLD."state" <> 'proposed'
BEGIN SELECT RAISE(ABORT, 'what operators decided stays'); END;

CREATE TRIGGER "PaymentDecision_stays" BEFORE DELETE ON "PaymentDecision"
BEGIN SELECT RAISE(ABORT, 'what operators said is never forgotten'); END;
