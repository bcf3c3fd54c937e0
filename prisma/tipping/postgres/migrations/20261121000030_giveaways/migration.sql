-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- Giveaways with a draw that everybody can compute again.

CREATE TABLE "Giveaway" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "starter" TEXT COLLATE "C" NOT NULL,
    "guild" TEXT COLLATE "C",
    "channel" TEXT COLLATE "C" NOT NULL,
    "card" TEXT COLLATE "C" NOT NULL,
    "prize" BIGINT NOT NULL,
    "winners" INTEGER NOT NULL,
    "role" TEXT COLLATE "C",
    "accountDays" INTEGER,
    "state" TEXT COLLATE "C" NOT NULL,
    "seed" TEXT COLLATE "C" NOT NULL,
    "commitment" TEXT COLLATE "C" NOT NULL,
    "entrantsHash" TEXT COLLATE "C",
    "endsAt" TIMESTAMP(3) NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "sealedAt" TIMESTAMP(3),
    "endedAt" TIMESTAMP(3),
    CONSTRAINT "Giveaway_prize" CHECK ("prize" >= 1),
    CONSTRAINT "Giveaway_winners" CHECK ("winners" >= 1),
    CONSTRAINT "Giveaway_state" CHECK ("state" IN ('open', 'sealed', 'drawn', 'cancelled')),
    CONSTRAINT "Giveaway_seed" CHECK (length("seed") = 64 AND length("commitment") = 64),
    CONSTRAINT "Giveaway_sealed" CHECK (("state" IN ('sealed', 'drawn')) = ("sealedAt" IS NOT NULL) AND ("sealedAt" IS NOT NULL) = ("entrantsHash" IS NOT NULL)),
    CONSTRAINT "Giveaway_ended" CHECK (("state" IN ('drawn', 'cancelled')) = ("endedAt" IS NOT NULL))
);

CREATE TABLE "GiveawayEntry" (
    "giveawayId" TEXT COLLATE "C" NOT NULL,
    "member" TEXT COLLATE "C" NOT NULL,
    "lightningId" TEXT COLLATE "C",
    "interaction" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    PRIMARY KEY ("giveawayId", "member")
);

CREATE TABLE "GiveawayWin" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "giveawayId" TEXT COLLATE "C" NOT NULL,
    "place" INTEGER NOT NULL,
    "member" TEXT COLLATE "C" NOT NULL,
    "again" BOOLEAN NOT NULL,
    "card" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL
);

CREATE INDEX "Giveaway_guild_createdAt_idx" ON "Giveaway"("guild", "createdAt");

-- Once per person, and once per Lightning account: two Discord accounts cannot share one.
CREATE UNIQUE INDEX "GiveawayEntry_giveawayId_lightningId_key" ON "GiveawayEntry"("giveawayId", "lightningId");

CREATE UNIQUE INDEX "GiveawayEntry_interaction_key" ON "GiveawayEntry"("interaction");

-- Nobody wins twice, also when somebody is drawn again.
CREATE UNIQUE INDEX "GiveawayWin_giveawayId_place_key" ON "GiveawayWin"("giveawayId", "place");

CREATE UNIQUE INDEX "GiveawayWin_giveawayId_member_key" ON "GiveawayWin"("giveawayId", "member");

-- What was promised stays: the commitment from the start, the hash from the sealing, and who had entered by then.
CREATE OR REPLACE FUNCTION "Giveaway_promise"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  IF OLD."seed" <> NEW."seed" OR OLD."commitment" <> NEW."commitment" OR OLD."prize" <> NEW."prize" OR OLD."winners" <> NEW."winners"
  OR (OLD."entrantsHash" IS NOT NULL AND OLD."entrantsHash" IS DISTINCT FROM NEW."entrantsHash") THEN
    RAISE EXCEPTION 'a giveaway keeps what it promised' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER "Giveaway_promise" BEFORE UPDATE ON "Giveaway" FOR EACH ROW EXECUTE FUNCTION "Giveaway_promise"();
CREATE OR REPLACE FUNCTION "GiveawayEntry_while_open"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  IF (SELECT "state" FROM "Giveaway" WHERE "id" = NEW."giveawayId") <> 'open' THEN
    RAISE EXCEPTION 'nobody enters a giveaway late' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER "GiveawayEntry_while_open" BEFORE INSERT ON "GiveawayEntry" FOR EACH ROW EXECUTE FUNCTION "GiveawayEntry_while_open"();
CREATE OR REPLACE FUNCTION "GiveawayEntry_no_update"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  RAISE EXCEPTION 'entries stay as they are' USING ERRCODE = 'check_violation';
  RETURN NEW;
END
$body$;
CREATE TRIGGER "GiveawayEntry_no_update" BEFORE UPDATE ON "GiveawayEntry" FOR EACH ROW EXECUTE FUNCTION "GiveawayEntry_no_update"();
CREATE OR REPLACE FUNCTION "GiveawayEntry_no_delete"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  RAISE EXCEPTION 'entries stay as they are' USING ERRCODE = 'check_violation';
  RETURN OLD;
END
$body$;
CREATE TRIGGER "GiveawayEntry_no_delete" BEFORE DELETE ON "GiveawayEntry" FOR EACH ROW EXECUTE FUNCTION "GiveawayEntry_no_delete"();
ALTER TABLE "GiveawayEntry" ADD CONSTRAINT "GiveawayEntry_giveawayId_fkey" FOREIGN KEY ("giveawayId") REFERENCES "Giveaway" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "GiveawayWin" ADD CONSTRAINT "GiveawayWin_giveawayId_fkey" FOREIGN KEY ("giveawayId") REFERENCES "Giveaway" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
