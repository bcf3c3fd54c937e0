-- A giveaway may give its winners so many minutes to claim their prizes. What nobody claims is drawn again, from the same line.
ALTER TABLE "Giveaway" ADD COLUMN "claimMinutes" INTEGER CONSTRAINT "Giveaway_claim" CHECK ("claimMinutes" IS NULL OR "claimMinutes" BETWEEN 10 AND 10080);
ALTER TABLE "Giveaway" ADD COLUMN "settledAt" DATETIME CONSTRAINT "Giveaway_settled" CHECK ("settledAt" IS NULL OR ("claimMinutes" IS NOT NULL AND "state" = 'drawn'));

CREATE TABLE "GiveawayClaim" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "giveawayId" TEXT NOT NULL,
    "round" INTEGER NOT NULL,
    "place" INTEGER NOT NULL,
    "member" TEXT NOT NULL,
    "card" TEXT NOT NULL,
    "until" DATETIME NOT NULL,
    "claimedAt" DATETIME,
    "press" TEXT,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "GiveawayClaim_round" CHECK ("round" BETWEEN 0 AND 4),
    CONSTRAINT "GiveawayClaim_until" CHECK ("until" > "createdAt"),
    CONSTRAINT "GiveawayClaim_claimed" CHECK (("claimedAt" IS NULL) = ("press" IS NULL) AND ("claimedAt" IS NULL OR "claimedAt" < "until")),
    CONSTRAINT "GiveawayClaim_giveawayId_fkey" FOREIGN KEY ("giveawayId") REFERENCES "Giveaway" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- Each place of the line is named once, and so is each person.
CREATE UNIQUE INDEX "GiveawayClaim_giveawayId_place_key" ON "GiveawayClaim"("giveawayId", "place");

CREATE UNIQUE INDEX "GiveawayClaim_giveawayId_member_key" ON "GiveawayClaim"("giveawayId", "member");

-- The time to claim is promised before anybody enters.
CREATE TRIGGER "Giveaway_claim_stays" BEFORE UPDATE ON "Giveaway"
WHEN OLD."claimMinutes" IS NOT NEW."claimMinutes" OR (OLD."settledAt" IS NOT NULL AND OLD."settledAt" IS NOT NEW."settledAt")
BEGIN SELECT RAISE(ABORT, 'a giveaway keeps the time to claim that it promised'); END;

-- Who was named stays named. Until a prize is claimed, the time for it may only grow; it is claimed once.
CREATE TRIGGER "GiveawayClaim_while_drawn" BEFORE INSERT ON "GiveawayClaim"
WHEN (SELECT "state" FROM "Giveaway" WHERE "id" = NEW."giveawayId") <> 'drawn'
  OR (SELECT "claimMinutes" FROM "Giveaway" WHERE "id" = NEW."giveawayId") IS NULL
  OR (SELECT "settledAt" FROM "Giveaway" WHERE "id" = NEW."giveawayId") IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'nobody is named who cannot claim'); END;
CREATE TRIGGER "GiveawayClaim_stays" BEFORE UPDATE ON "GiveawayClaim"
WHEN OLD."id" <> NEW."id" OR OLD."giveawayId" <> NEW."giveawayId" OR OLD."round" <> NEW."round" OR OLD."place" <> NEW."place"
  OR OLD."member" <> NEW."member" OR OLD."card" <> NEW."card" OR OLD."createdAt" <> NEW."createdAt" OR NEW."until" < OLD."until"
  OR OLD."claimedAt" IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'who was named stays named'); END;
CREATE TRIGGER "GiveawayClaim_no_delete" BEFORE DELETE ON "GiveawayClaim" BEGIN SELECT RAISE(ABORT, 'who was named stays named'); END;

-- Where prizes are claimed, nobody is paid from the pot who has not claimed.
CREATE TRIGGER "GiveawayWin_claimed" BEFORE INSERT ON "GiveawayWin"
WHEN NOT NEW."again" AND (SELECT "claimMinutes" FROM "Giveaway" WHERE "id" = NEW."giveawayId") IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM "GiveawayClaim" WHERE "id" = NEW."id" AND "member" = NEW."member" AND "claimedAt" IS NOT NULL)
BEGIN SELECT RAISE(ABORT, 'a prize is claimed before it is paid'); END;
