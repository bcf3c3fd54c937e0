-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- Tips for messages: one tally for each message that was tipped.

ALTER TABLE "Tip" ADD COLUMN "message" TEXT COLLATE "C";
-- The server whose pool it came from, for a reward.
ALTER TABLE "Tip" ADD COLUMN "pool" TEXT COLLATE "C";

CREATE INDEX "Tip_message_idx" ON "Tip"("message") WHERE "message" IS NOT NULL;
CREATE INDEX "Tip_guild_createdAt_idx" ON "Tip"("guild", "createdAt");

CREATE TABLE "Tally" (
    "message" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "channel" TEXT COLLATE "C" NOT NULL,
    "guild" TEXT COLLATE "C" NOT NULL,
    "author" TEXT COLLATE "C" NOT NULL,
    "card" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL
);
