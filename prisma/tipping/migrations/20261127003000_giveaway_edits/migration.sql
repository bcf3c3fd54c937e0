-- What is changed of a giveaway while people can enter: never a smaller prize, fewer winners or an earlier end.
CREATE TABLE "GiveawayEdit" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "giveawayId" TEXT NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "member" TEXT NOT NULL,
    "prizeBefore" BIGINT NOT NULL,
    "winnersBefore" INTEGER NOT NULL,
    "endsAtBefore" DATETIME NOT NULL,
    "prize" BIGINT NOT NULL,
    "winners" INTEGER NOT NULL,
    "endsAt" DATETIME NOT NULL,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "GiveawayEdit_more" CHECK ("prize" >= "prizeBefore" AND "winners" >= "winnersBefore" AND "endsAt" >= "endsAtBefore"),
    CONSTRAINT "GiveawayEdit_giveawayId_fkey" FOREIGN KEY ("giveawayId") REFERENCES "Giveaway" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE UNIQUE INDEX "GiveawayEdit_giveawayId_ordinal_key" ON "GiveawayEdit"("giveawayId", "ordinal");

CREATE TRIGGER "GiveawayEdit_no_update" BEFORE UPDATE ON "GiveawayEdit" BEGIN SELECT RAISE(ABORT, 'edits stay as they are'); END;
CREATE TRIGGER "GiveawayEdit_no_delete" BEFORE DELETE ON "GiveawayEdit" BEGIN SELECT RAISE(ABORT, 'edits stay as they are'); END;

-- What was promised stays, and may grow while people can enter.
DROP TRIGGER "Giveaway_promise";
CREATE TRIGGER "Giveaway_promise" BEFORE UPDATE ON "Giveaway"
WHEN OLD."seed" <> NEW."seed" OR OLD."commitment" <> NEW."commitment" OR NEW."prize" < OLD."prize" OR NEW."winners" < OLD."winners"
  OR ((OLD."prize" <> NEW."prize" OR OLD."winners" <> NEW."winners") AND (OLD."state" <> 'open' OR NEW."state" <> 'open'))
  OR (OLD."entrantsHash" IS NOT NULL AND OLD."entrantsHash" IS NOT NEW."entrantsHash")
BEGIN SELECT RAISE(ABORT, 'a giveaway keeps what it promised'); END;

-- Only who has written in the server in the last so many days may enter. Presses and commands are no messages.
ALTER TABLE "Giveaway" ADD COLUMN "activeDays" INTEGER;
ALTER TABLE "Presence" ADD COLUMN "wroteAt" DATETIME;

-- An end may move to a later time, as long as people can enter: until then nobody knows any beacon that comes after it. An early end stays.
DROP TRIGGER "Giveaway_beacon";
CREATE TRIGGER "Giveaway_beacon" BEFORE UPDATE ON "Giveaway"
WHEN (OLD."beaconRound" IS NULL) <> (NEW."beaconRound" IS NULL)
  OR (OLD."sealedAt" IS NOT NULL AND (OLD."beaconRound" IS NOT NEW."beaconRound" OR OLD."endsAt" <> NEW."endsAt"))
  OR (OLD."shortenedAt" IS NOT NULL AND (OLD."endsAt" <> NEW."endsAt" OR OLD."shortenedAt" IS NOT NEW."shortenedAt"))
  OR (OLD."endsAt" < NEW."endsAt" AND (OLD."state" <> 'open' OR NEW."state" <> 'open'))
  OR (OLD."beaconSignature" IS NOT NULL AND OLD."beaconSignature" IS NOT NEW."beaconSignature")
BEGIN SELECT RAISE(ABORT, 'a giveaway keeps its end and its beacon'); END;
