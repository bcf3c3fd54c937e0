-- A public value that nobody knows when entry closes is mixed into a draw; and an end that came earlier than it was said at first.
ALTER TABLE "Giveaway" ADD COLUMN "beaconRound" INTEGER CONSTRAINT "Giveaway_round" CHECK ("beaconRound" IS NULL OR "beaconRound" >= 1);
ALTER TABLE "Giveaway" ADD COLUMN "beaconSignature" TEXT CONSTRAINT "Giveaway_signature" CHECK ("beaconSignature" IS NULL OR (length("beaconSignature") = 96 AND "beaconRound" IS NOT NULL));
ALTER TABLE "Giveaway" ADD COLUMN "shortenedAt" DATETIME;

-- Whether a beacon counts is said at the start. Its round follows from the end, so both stay once entry is closed; an end comes earlier at most once.
CREATE TRIGGER "Giveaway_beacon" BEFORE UPDATE ON "Giveaway"
WHEN (OLD."beaconRound" IS NULL) <> (NEW."beaconRound" IS NULL)
  OR (OLD."sealedAt" IS NOT NULL AND (OLD."beaconRound" IS NOT NEW."beaconRound" OR OLD."endsAt" <> NEW."endsAt"))
  OR (OLD."shortenedAt" IS NOT NULL AND (OLD."endsAt" <> NEW."endsAt" OR OLD."shortenedAt" IS NOT NEW."shortenedAt"))
  OR OLD."endsAt" < NEW."endsAt"
  OR (OLD."beaconSignature" IS NOT NULL AND OLD."beaconSignature" IS NOT NEW."beaconSignature")
BEGIN SELECT RAISE(ABORT, 'a giveaway keeps its end and its beacon'); END;
