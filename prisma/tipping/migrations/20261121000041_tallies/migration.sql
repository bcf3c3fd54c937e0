-- Tips for messages: one tally for each message that was tipped.

ALTER TABLE "Tip" ADD COLUMN "message" TEXT;
-- The server whose pool it came from, for a reward.
ALTER TABLE "Tip" ADD COLUMN "pool" TEXT;

CREATE INDEX "Tip_message_idx" ON "Tip"("message") WHERE "message" IS NOT NULL;
CREATE INDEX "Tip_guild_createdAt_idx" ON "Tip"("guild", "createdAt");

CREATE TABLE "Tally" (
    "message" TEXT NOT NULL PRIMARY KEY,
    "channel" TEXT NOT NULL,
    "guild" TEXT NOT NULL,
    "author" TEXT NOT NULL,
    "card" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL
);
