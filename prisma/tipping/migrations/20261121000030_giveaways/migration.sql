-- Giveaways with a draw that everybody can compute again.

CREATE TABLE "Giveaway" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "starter" TEXT NOT NULL,
    "guild" TEXT,
    "channel" TEXT NOT NULL,
    "card" TEXT NOT NULL,
    "prize" BIGINT NOT NULL,
    "winners" INTEGER NOT NULL,
    "role" TEXT,
    "accountDays" INTEGER,
    "state" TEXT NOT NULL,
    "seed" TEXT NOT NULL,
    "commitment" TEXT NOT NULL,
    "entrantsHash" TEXT,
    "endsAt" DATETIME NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "sealedAt" DATETIME,
    "endedAt" DATETIME,
    CONSTRAINT "Giveaway_prize" CHECK ("prize" >= 1),
    CONSTRAINT "Giveaway_winners" CHECK ("winners" >= 1),
    CONSTRAINT "Giveaway_state" CHECK ("state" IN ('open', 'sealed', 'drawn', 'cancelled')),
    CONSTRAINT "Giveaway_seed" CHECK (length("seed") = 64 AND length("commitment") = 64),
    CONSTRAINT "Giveaway_sealed" CHECK (("state" IN ('sealed', 'drawn')) = ("sealedAt" IS NOT NULL) AND ("sealedAt" IS NOT NULL) = ("entrantsHash" IS NOT NULL)),
    CONSTRAINT "Giveaway_ended" CHECK (("state" IN ('drawn', 'cancelled')) = ("endedAt" IS NOT NULL))
);

CREATE TABLE "GiveawayEntry" (
    "giveawayId" TEXT NOT NULL,
    "member" TEXT NOT NULL,
    "lightningId" TEXT,
    "interaction" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    PRIMARY KEY ("giveawayId", "member"),
    CONSTRAINT "GiveawayEntry_giveawayId_fkey" FOREIGN KEY ("giveawayId") REFERENCES "Giveaway" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE TABLE "GiveawayWin" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "giveawayId" TEXT NOT NULL,
    "place" INTEGER NOT NULL,
    "member" TEXT NOT NULL,
    "again" BOOLEAN NOT NULL,
    "card" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "GiveawayWin_giveawayId_fkey" FOREIGN KEY ("giveawayId") REFERENCES "Giveaway" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE INDEX "Giveaway_guild_createdAt_idx" ON "Giveaway"("guild", "createdAt");

-- Once per person, and once per Lightning account: two Discord accounts cannot share one.
CREATE UNIQUE INDEX "GiveawayEntry_giveawayId_lightningId_key" ON "GiveawayEntry"("giveawayId", "lightningId");

CREATE UNIQUE INDEX "GiveawayEntry_interaction_key" ON "GiveawayEntry"("interaction");

-- Nobody wins twice, also when somebody is drawn again.
CREATE UNIQUE INDEX "GiveawayWin_giveawayId_place_key" ON "GiveawayWin"("giveawayId", "place");

CREATE UNIQUE INDEX "GiveawayWin_giveawayId_member_key" ON "GiveawayWin"("giveawayId", "member");

-- What was promised stays: the commitment from the start, the hash from the sealing, and who had entered by then.
CREATE TRIGGER "Giveaway_promise" BEFORE UPDATE ON "Giveaway"
WHEN OLD."seed" <> NEW."seed" OR OLD."commitment" <> NEW."commitment" OR OLD."prize" <> NEW."prize" OR OLD."winners" <> NEW."winners"
  OR (OLD."entrantsHash" IS NOT NULL AND OLD."entrantsHash" IS NOT NEW."entrantsHash")
BEGIN SELECT RAISE(ABORT, 'a giveaway keeps what it promised'); END;
CREATE TRIGGER "GiveawayEntry_while_open" BEFORE INSERT ON "GiveawayEntry"
WHEN (SELECT "state" FROM "Giveaway" WHERE "id" = NEW."giveawayId") <> 'open'
BEGIN SELECT RAISE(ABORT, 'nobody enters a giveaway late'); END;
CREATE TRIGGER "GiveawayEntry_no_update" BEFORE UPDATE ON "GiveawayEntry" BEGIN SELECT RAISE(ABORT, 'entries stay as they are'); END;
CREATE TRIGGER "GiveawayEntry_no_delete" BEFORE DELETE ON "GiveawayEntry" BEGIN SELECT RAISE(ABORT, 'entries stay as they are'); END;
