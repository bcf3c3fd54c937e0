-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- A giveaway may give its winners so many minutes to claim their prizes. What nobody claims is drawn again, from the same line.
ALTER TABLE "Giveaway" ADD COLUMN "claimMinutes" INTEGER CONSTRAINT "Giveaway_claim" CHECK ("claimMinutes" IS NULL OR "claimMinutes" BETWEEN 10 AND 10080);
ALTER TABLE "Giveaway" ADD COLUMN "settledAt" TIMESTAMP(3) CONSTRAINT "Giveaway_settled" CHECK ("settledAt" IS NULL OR ("claimMinutes" IS NOT NULL AND "state" = 'drawn'));

CREATE TABLE "GiveawayClaim" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "giveawayId" TEXT COLLATE "C" NOT NULL,
    "round" INTEGER NOT NULL,
    "place" INTEGER NOT NULL,
    "member" TEXT COLLATE "C" NOT NULL,
    "card" TEXT COLLATE "C" NOT NULL,
    "until" TIMESTAMP(3) NOT NULL,
    "claimedAt" TIMESTAMP(3),
    "press" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    CONSTRAINT "GiveawayClaim_round" CHECK ("round" BETWEEN 0 AND 4),
    CONSTRAINT "GiveawayClaim_until" CHECK ("until" > "createdAt"),
    CONSTRAINT "GiveawayClaim_claimed" CHECK (("claimedAt" IS NULL) = ("press" IS NULL) AND ("claimedAt" IS NULL OR "claimedAt" < "until"))
);

-- Each place of the line is named once, and so is each person.
CREATE UNIQUE INDEX "GiveawayClaim_giveawayId_place_key" ON "GiveawayClaim"("giveawayId", "place");

CREATE UNIQUE INDEX "GiveawayClaim_giveawayId_member_key" ON "GiveawayClaim"("giveawayId", "member");

-- The time to claim is promised before anybody enters.
CREATE OR REPLACE FUNCTION "Giveaway_claim_stays"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  IF OLD."claimMinutes" IS DISTINCT FROM NEW."claimMinutes" OR (OLD."settledAt" IS NOT NULL AND OLD."settledAt" IS DISTINCT FROM NEW."settledAt") THEN
    RAISE EXCEPTION 'a giveaway keeps the time to claim that it promised' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER "Giveaway_claim_stays" BEFORE UPDATE ON "Giveaway" FOR EACH ROW EXECUTE FUNCTION "Giveaway_claim_stays"();

-- Who was named stays named. Until a prize is claimed, the time for it may only grow; it is claimed once.
CREATE OR REPLACE FUNCTION "GiveawayClaim_while_drawn"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  IF (SELECT "state" FROM "Giveaway" WHERE "id" = NEW."giveawayId") <> 'drawn'
  OR (SELECT "claimMinutes" FROM "Giveaway" WHERE "id" = NEW."giveawayId") IS NULL
  OR (SELECT "settledAt" FROM "Giveaway" WHERE "id" = NEW."giveawayId") IS NOT NULL THEN
    RAISE EXCEPTION 'nobody is named who cannot claim' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER "GiveawayClaim_while_drawn" BEFORE INSERT ON "GiveawayClaim" FOR EACH ROW EXECUTE FUNCTION "GiveawayClaim_while_drawn"();
CREATE OR REPLACE FUNCTION "GiveawayClaim_stays"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  IF OLD."id" <> NEW."id" OR OLD."giveawayId" <> NEW."giveawayId" OR OLD."round" <> NEW."round" OR OLD."place" <> NEW."place"
  OR OLD."member" <> NEW."member" OR OLD."card" <> NEW."card" OR OLD."createdAt" <> NEW."createdAt" OR NEW."until" < OLD."until"
  OR OLD."claimedAt" IS NOT NULL THEN
    RAISE EXCEPTION 'who was named stays named' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER "GiveawayClaim_stays" BEFORE UPDATE ON "GiveawayClaim" FOR EACH ROW EXECUTE FUNCTION "GiveawayClaim_stays"();
CREATE OR REPLACE FUNCTION "GiveawayClaim_no_delete"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  RAISE EXCEPTION 'who was named stays named' USING ERRCODE = 'check_violation';
  RETURN OLD;
END
$body$;
CREATE TRIGGER "GiveawayClaim_no_delete" BEFORE DELETE ON "GiveawayClaim" FOR EACH ROW EXECUTE FUNCTION "GiveawayClaim_no_delete"();

-- Where prizes are claimed, nobody is paid from the pot who has not claimed.
CREATE OR REPLACE FUNCTION "GiveawayWin_claimed"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  IF NOT NEW."again" AND (SELECT "claimMinutes" FROM "Giveaway" WHERE "id" = NEW."giveawayId") IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM "GiveawayClaim" WHERE "id" = NEW."id" AND "member" = NEW."member" AND "claimedAt" IS NOT NULL) THEN
    RAISE EXCEPTION 'a prize is claimed before it is paid' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER "GiveawayWin_claimed" BEFORE INSERT ON "GiveawayWin" FOR EACH ROW EXECUTE FUNCTION "GiveawayWin_claimed"();
ALTER TABLE "GiveawayClaim" ADD CONSTRAINT "GiveawayClaim_giveawayId_fkey" FOREIGN KEY ("giveawayId") REFERENCES "Giveaway" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
