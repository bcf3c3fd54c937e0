-- A payer is told once that the provider does not say how their withdrawal ends.

ALTER TABLE "Withdrawal" ADD COLUMN "toldLate" BOOLEAN NOT NULL DEFAULT false;
