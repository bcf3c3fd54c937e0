-- What the payer of a Lightning Address said about themselves (LUD-18).

ALTER TABLE "AddressPayment" ADD COLUMN "payer" TEXT NOT NULL DEFAULT '';
