-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- Tips from a wallet to people who have none yet: nothing moves until they have.
CREATE TABLE "WalletPromise" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "tipId" TEXT COLLATE "C" NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "sender" TEXT COLLATE "C" NOT NULL,
    "recipient" TEXT COLLATE "C" NOT NULL,
    "amount" BIGINT NOT NULL,
    "accountSince" TIMESTAMP(3),
    "state" TEXT COLLATE "C" NOT NULL,
    "hindrance" TEXT COLLATE "C",
    "until" TIMESTAMP(3) NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "endedAt" TIMESTAMP(3),
    CONSTRAINT "WalletPromise_amount" CHECK ("amount" >= 1),
    CONSTRAINT "WalletPromise_state" CHECK ("state" IN ('promised', 'asked', 'revoked', 'lapsed')),
    CONSTRAINT "WalletPromise_ended" CHECK (("state" <> 'promised') = ("endedAt" IS NOT NULL))
);
CREATE UNIQUE INDEX "WalletPromise_tipId_ordinal_key" ON "WalletPromise"("tipId", "ordinal");
CREATE UNIQUE INDEX "WalletPromise_tipId_recipient_key" ON "WalletPromise"("tipId", "recipient");
CREATE INDEX "WalletPromise_sender_state_idx" ON "WalletPromise"("sender", "state");
CREATE INDEX "WalletPromise_recipient_state_idx" ON "WalletPromise"("recipient", "state");

-- A promise ends once.
CREATE OR REPLACE FUNCTION "WalletPromise_end_stays"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  IF OLD."state" <> 'promised' AND NEW."state" <> OLD."state" THEN
    RAISE EXCEPTION 'a promise ends once' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER "WalletPromise_end_stays" BEFORE UPDATE OF "state" ON "WalletPromise" FOR EACH ROW EXECUTE FUNCTION "WalletPromise_end_stays"();
