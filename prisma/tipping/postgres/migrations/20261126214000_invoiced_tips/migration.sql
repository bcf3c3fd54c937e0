-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- Tips that their givers' balances do not cover. One is sent in the transaction that credits its deposit, or stays in the balance.
CREATE TABLE "InvoicedTip" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "member" TEXT COLLATE "C" NOT NULL,
    "interaction" TEXT COLLATE "C" NOT NULL,
    "gift" TEXT COLLATE "C" NOT NULL,
    "total" BIGINT NOT NULL,
    "state" TEXT COLLATE "C" NOT NULL,
    "because" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    CONSTRAINT "InvoicedTip_total" CHECK ("total" >= 1),
    CONSTRAINT "InvoicedTip_state" CHECK ("state" IN ('waiting', 'sent', 'kept')),
    CONSTRAINT "InvoicedTip_kept" CHECK (("state" = 'kept') = ("because" IS NOT NULL))
);
CREATE UNIQUE INDEX "InvoicedTip_interaction_key" ON "InvoicedTip"("interaction");
CREATE INDEX "InvoicedTip_member_idx" ON "InvoicedTip"("member");

-- What became of it is final.
CREATE OR REPLACE FUNCTION "InvoicedTip_ends_once"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  IF OLD."state" <> 'waiting' AND NEW."state" <> OLD."state" THEN
    RAISE EXCEPTION 'a tip by invoice ends once' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER "InvoicedTip_ends_once" BEFORE UPDATE OF "state" ON "InvoicedTip" FOR EACH ROW EXECUTE FUNCTION "InvoicedTip_ends_once"();

ALTER TABLE "Deposit" ADD COLUMN "closesAt" TIMESTAMP(3);
