-- When a redemption's code was sent, by the book's time: how old its key is goes by that, and not by a wall clock that may
-- have been wrong.

ALTER TABLE "Redemption" ADD COLUMN "sentAt" DATETIME;

UPDATE "Redemption" SET "sentAt" = "createdAt";
