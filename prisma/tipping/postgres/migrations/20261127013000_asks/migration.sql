-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- Somebody asks the others in a channel for sats. What is given to it are tips; it holds nothing itself.
CREATE TABLE "Ask" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "member" TEXT COLLATE "C" NOT NULL,
    "guild" TEXT COLLATE "C" NOT NULL,
    "channel" TEXT COLLATE "C" NOT NULL,
    "card" TEXT COLLATE "C" NOT NULL,
    "goal" BIGINT NOT NULL,
    "reason" TEXT COLLATE "C" NOT NULL,
    "state" TEXT COLLATE "C" NOT NULL,
    "endsAt" TIMESTAMP(3) NOT NULL,
    "closedBy" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    "endedAt" TIMESTAMP(3),
    CONSTRAINT "Ask_goal" CHECK ("goal" >= 1),
    CONSTRAINT "Ask_state" CHECK ("state" IN ('open', 'reached', 'over', 'closed')),
    CONSTRAINT "Ask_ended" CHECK (("state" = 'open') = ("endedAt" IS NULL))
);

CREATE TABLE "AskGift" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "askId" TEXT COLLATE "C" NOT NULL,
    "member" TEXT COLLATE "C" NOT NULL,
    "amount" BIGINT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    CONSTRAINT "AskGift_amount" CHECK ("amount" >= 1)
);

CREATE INDEX "Ask_member_state_idx" ON "Ask"("member", "state");

CREATE INDEX "AskGift_askId_member_idx" ON "AskGift"("askId", "member");

CREATE OR REPLACE FUNCTION "AskGift_while_open"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  IF (SELECT "state" FROM "Ask" WHERE "id" = NEW."askId") <> 'open' THEN
    RAISE EXCEPTION 'nobody gives to what is closed' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER "AskGift_while_open" BEFORE INSERT ON "AskGift" FOR EACH ROW EXECUTE FUNCTION "AskGift_while_open"();
CREATE OR REPLACE FUNCTION "AskGift_no_update"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  RAISE EXCEPTION 'gifts stay as they are' USING ERRCODE = 'check_violation';
  RETURN NEW;
END
$body$;
CREATE TRIGGER "AskGift_no_update" BEFORE UPDATE ON "AskGift" FOR EACH ROW EXECUTE FUNCTION "AskGift_no_update"();
CREATE OR REPLACE FUNCTION "AskGift_no_delete"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  RAISE EXCEPTION 'gifts stay as they are' USING ERRCODE = 'check_violation';
  RETURN OLD;
END
$body$;
CREATE TRIGGER "AskGift_no_delete" BEFORE DELETE ON "AskGift" FOR EACH ROW EXECUTE FUNCTION "AskGift_no_delete"();
ALTER TABLE "AskGift" ADD CONSTRAINT "AskGift_askId_fkey" FOREIGN KEY ("askId") REFERENCES "Ask" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
