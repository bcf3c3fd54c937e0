-- Whom an open invoice for a slot counts for, so that all services on a book leave slots to others.

ALTER TABLE "Invoice" ADD COLUMN "payer" TEXT NOT NULL DEFAULT '';
