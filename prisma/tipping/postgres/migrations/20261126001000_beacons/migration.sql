-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- A public value that nobody knows when entry closes is mixed into a draw; and an end that came earlier than it was said at first.
ALTER TABLE "Giveaway" ADD COLUMN "beaconRound" INTEGER CONSTRAINT "Giveaway_round" CHECK ("beaconRound" IS NULL OR "beaconRound" >= 1);
ALTER TABLE "Giveaway" ADD COLUMN "beaconSignature" TEXT COLLATE "C" CONSTRAINT "Giveaway_signature" CHECK ("beaconSignature" IS NULL OR (length("beaconSignature") = 96 AND "beaconRound" IS NOT NULL));
ALTER TABLE "Giveaway" ADD COLUMN "shortenedAt" TIMESTAMP(3);

-- Whether a beacon counts is said at the start. Its round follows from the end, so both stay once entry is closed; an end comes earlier at most once.
CREATE OR REPLACE FUNCTION "Giveaway_beacon"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  IF (OLD."beaconRound" IS NULL) <> (NEW."beaconRound" IS NULL)
  OR (OLD."sealedAt" IS NOT NULL AND (OLD."beaconRound" IS DISTINCT FROM NEW."beaconRound" OR OLD."endsAt" <> NEW."endsAt"))
  OR (OLD."shortenedAt" IS NOT NULL AND (OLD."endsAt" <> NEW."endsAt" OR OLD."shortenedAt" IS DISTINCT FROM NEW."shortenedAt"))
  OR OLD."endsAt" < NEW."endsAt"
  OR (OLD."beaconSignature" IS NOT NULL AND OLD."beaconSignature" IS DISTINCT FROM NEW."beaconSignature") THEN
    RAISE EXCEPTION 'a giveaway keeps its end and its beacon' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER "Giveaway_beacon" BEFORE UPDATE ON "Giveaway" FOR EACH ROW EXECUTE FUNCTION "Giveaway_beacon"();
