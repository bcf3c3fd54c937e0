-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- What is changed of a giveaway while people can enter: never a smaller prize, fewer winners or an earlier end.
CREATE TABLE "GiveawayEdit" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "giveawayId" TEXT COLLATE "C" NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "member" TEXT COLLATE "C" NOT NULL,
    "prizeBefore" BIGINT NOT NULL,
    "winnersBefore" INTEGER NOT NULL,
    "endsAtBefore" TIMESTAMP(3) NOT NULL,
    "prize" BIGINT NOT NULL,
    "winners" INTEGER NOT NULL,
    "endsAt" TIMESTAMP(3) NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    CONSTRAINT "GiveawayEdit_more" CHECK ("prize" >= "prizeBefore" AND "winners" >= "winnersBefore" AND "endsAt" >= "endsAtBefore")
);

CREATE UNIQUE INDEX "GiveawayEdit_giveawayId_ordinal_key" ON "GiveawayEdit"("giveawayId", "ordinal");

CREATE OR REPLACE FUNCTION "GiveawayEdit_no_update"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  RAISE EXCEPTION 'edits stay as they are' USING ERRCODE = 'check_violation';
  RETURN NEW;
END
$body$;
CREATE TRIGGER "GiveawayEdit_no_update" BEFORE UPDATE ON "GiveawayEdit" FOR EACH ROW EXECUTE FUNCTION "GiveawayEdit_no_update"();
CREATE OR REPLACE FUNCTION "GiveawayEdit_no_delete"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  RAISE EXCEPTION 'edits stay as they are' USING ERRCODE = 'check_violation';
  RETURN OLD;
END
$body$;
CREATE TRIGGER "GiveawayEdit_no_delete" BEFORE DELETE ON "GiveawayEdit" FOR EACH ROW EXECUTE FUNCTION "GiveawayEdit_no_delete"();

-- What was promised stays, and may grow while people can enter.
DROP TRIGGER "Giveaway_promise" ON "Giveaway";
CREATE OR REPLACE FUNCTION "Giveaway_promise"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  IF OLD."seed" <> NEW."seed" OR OLD."commitment" <> NEW."commitment" OR NEW."prize" < OLD."prize" OR NEW."winners" < OLD."winners"
  OR ((OLD."prize" <> NEW."prize" OR OLD."winners" <> NEW."winners") AND (OLD."state" <> 'open' OR NEW."state" <> 'open'))
  OR (OLD."entrantsHash" IS NOT NULL AND OLD."entrantsHash" IS DISTINCT FROM NEW."entrantsHash") THEN
    RAISE EXCEPTION 'a giveaway keeps what it promised' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER "Giveaway_promise" BEFORE UPDATE ON "Giveaway" FOR EACH ROW EXECUTE FUNCTION "Giveaway_promise"();

-- Only who has written in the server in the last so many days may enter. Presses and commands are no messages.
ALTER TABLE "Giveaway" ADD COLUMN "activeDays" INTEGER;
ALTER TABLE "Presence" ADD COLUMN "wroteAt" TIMESTAMP(3);

-- An end may move to a later time, as long as people can enter: until then nobody knows any beacon that comes after it. An early end stays.
DROP TRIGGER "Giveaway_beacon" ON "Giveaway";
CREATE OR REPLACE FUNCTION "Giveaway_beacon"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  IF (OLD."beaconRound" IS NULL) <> (NEW."beaconRound" IS NULL)
  OR (OLD."sealedAt" IS NOT NULL AND (OLD."beaconRound" IS DISTINCT FROM NEW."beaconRound" OR OLD."endsAt" <> NEW."endsAt"))
  OR (OLD."shortenedAt" IS NOT NULL AND (OLD."endsAt" <> NEW."endsAt" OR OLD."shortenedAt" IS DISTINCT FROM NEW."shortenedAt"))
  OR (OLD."endsAt" < NEW."endsAt" AND (OLD."state" <> 'open' OR NEW."state" <> 'open'))
  OR (OLD."beaconSignature" IS NOT NULL AND OLD."beaconSignature" IS DISTINCT FROM NEW."beaconSignature") THEN
    RAISE EXCEPTION 'a giveaway keeps its end and its beacon' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER "Giveaway_beacon" BEFORE UPDATE ON "Giveaway" FOR EACH ROW EXECUTE FUNCTION "Giveaway_beacon"();
ALTER TABLE "GiveawayEdit" ADD CONSTRAINT "GiveawayEdit_giveawayId_fkey" FOREIGN KEY ("giveawayId") REFERENCES "Giveaway" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
