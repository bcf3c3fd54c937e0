-- Why a payment failed, by a code that can be said in every language. Its words stay in "failure".

ALTER TABLE "Payment" ADD COLUMN "failureCode" TEXT NOT NULL DEFAULT '';
