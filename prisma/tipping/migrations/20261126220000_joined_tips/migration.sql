-- A tip that adds the same amount to another one, once by each sender.
ALTER TABLE "Tip" ADD COLUMN "joins" TEXT;
CREATE UNIQUE INDEX "Tip_joins_sender_key" ON "Tip"("joins", "sender") WHERE "joins" IS NOT NULL;
