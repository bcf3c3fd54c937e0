-- A deposit that its member asks for in a channel, for anybody to pay, and what for.

ALTER TABLE "Deposit" ADD COLUMN "askedIn" TEXT;
ALTER TABLE "Deposit" ADD COLUMN "note" TEXT NOT NULL DEFAULT '';
