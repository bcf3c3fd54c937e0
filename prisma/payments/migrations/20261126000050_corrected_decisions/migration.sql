-- What operators decided of a payment can be corrected by a later decision, which names the one that it corrects.

ALTER TABLE "PaymentDecision" ADD COLUMN "corrects" TEXT NOT NULL DEFAULT '';

DROP INDEX "PaymentDecision_one_done";
CREATE UNIQUE INDEX "PaymentDecision_one_done" ON "PaymentDecision"("paymentId", "corrects") WHERE "state" = 'done';
