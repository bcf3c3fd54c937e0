-- What a payee shows the payer after a payment (LUD-09), and the preimage that opens what it has locked (LUD-10).

ALTER TABLE "Withdrawal" ADD COLUMN "successAction" TEXT;
ALTER TABLE "Withdrawal" ADD COLUMN "preimage" TEXT;
