-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- Holders of an earned role have more chances in a draw than one.
ALTER TABLE "Giveaway" ADD COLUMN "bonusRole" TEXT COLLATE "C";
ALTER TABLE "Giveaway" ADD COLUMN "bonusChances" INTEGER CONSTRAINT "Giveaway_bonus" CHECK (("bonusRole" IS NULL) = ("bonusChances" IS NULL) AND ("bonusChances" IS NULL OR "bonusChances" BETWEEN 2 AND 10));
ALTER TABLE "GiveawayEntry" ADD COLUMN "chances" INTEGER NOT NULL DEFAULT 1 CONSTRAINT "GiveawayEntry_chances" CHECK ("chances" BETWEEN 1 AND 10);

-- What was promised to those who enter stays.
CREATE OR REPLACE FUNCTION "Giveaway_bonus_stays"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  IF OLD."bonusRole" IS DISTINCT FROM NEW."bonusRole" OR OLD."bonusChances" IS DISTINCT FROM NEW."bonusChances" THEN
    RAISE EXCEPTION 'a giveaway keeps the chances that it promised' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER "Giveaway_bonus_stays" BEFORE UPDATE ON "Giveaway" FOR EACH ROW EXECUTE FUNCTION "Giveaway_bonus_stays"();
