-- Tips that their givers' balances do not cover. One is sent in the transaction that credits its deposit, or stays in the balance.
CREATE TABLE "InvoicedTip" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "member" TEXT NOT NULL,
    "interaction" TEXT NOT NULL,
    "gift" TEXT NOT NULL,
    "total" BIGINT NOT NULL,
    "state" TEXT NOT NULL,
    "because" TEXT,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "InvoicedTip_total" CHECK ("total" >= 1),
    CONSTRAINT "InvoicedTip_state" CHECK ("state" IN ('waiting', 'sent', 'kept')),
    CONSTRAINT "InvoicedTip_kept" CHECK (("state" = 'kept') = ("because" IS NOT NULL))
);
CREATE UNIQUE INDEX "InvoicedTip_interaction_key" ON "InvoicedTip"("interaction");
CREATE INDEX "InvoicedTip_member_idx" ON "InvoicedTip"("member");

-- What became of it is final.
CREATE TRIGGER "InvoicedTip_ends_once" BEFORE UPDATE OF "state" ON "InvoicedTip"
WHEN OLD."state" <> 'waiting' AND NEW."state" <> OLD."state"
BEGIN
  SELECT RAISE(ABORT, 'a tip by invoice ends once');
END;

ALTER TABLE "Deposit" ADD COLUMN "closesAt" DATETIME;
