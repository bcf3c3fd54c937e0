-- Holders of an earned role have more chances in a draw than one.
ALTER TABLE "Giveaway" ADD COLUMN "bonusRole" TEXT;
ALTER TABLE "Giveaway" ADD COLUMN "bonusChances" INTEGER CONSTRAINT "Giveaway_bonus" CHECK (("bonusRole" IS NULL) = ("bonusChances" IS NULL) AND ("bonusChances" IS NULL OR "bonusChances" BETWEEN 2 AND 10));
ALTER TABLE "GiveawayEntry" ADD COLUMN "chances" INTEGER NOT NULL DEFAULT 1 CONSTRAINT "GiveawayEntry_chances" CHECK ("chances" BETWEEN 1 AND 10);

-- What was promised to those who enter stays.
CREATE TRIGGER "Giveaway_bonus_stays" BEFORE UPDATE ON "Giveaway"
WHEN OLD."bonusRole" IS NOT NEW."bonusRole" OR OLD."bonusChances" IS NOT NEW."bonusChances"
BEGIN SELECT RAISE(ABORT, 'a giveaway keeps the chances that it promised'); END;
