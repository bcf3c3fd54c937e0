-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- Drops, rain and giveaways from the pool that are repeated, so many times, by the clock of the server.
ALTER TABLE "Server" ADD COLUMN "timeZone" TEXT COLLATE "C";

CREATE TABLE "Schedule" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "guild" TEXT COLLATE "C" NOT NULL,
    "channel" TEXT COLLATE "C" NOT NULL,
    "owner" TEXT COLLATE "C" NOT NULL,
    "what" TEXT COLLATE "C" NOT NULL,
    "amount" BIGINT NOT NULL,
    "people" INTEGER NOT NULL,
    "minutes" INTEGER NOT NULL,
    "reason" TEXT COLLATE "C" NOT NULL,
    "weekday" INTEGER,
    "hour" INTEGER NOT NULL,
    "minute" INTEGER NOT NULL,
    "zone" TEXT COLLATE "C" NOT NULL,
    "times" INTEGER NOT NULL,
    "done" INTEGER NOT NULL DEFAULT 0,
    "nextAt" TIMESTAMP(3),
    "state" TEXT COLLATE "C" NOT NULL,
    "stoppedBy" TEXT COLLATE "C",
    "trouble" TEXT COLLATE "C",
    "card" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    CONSTRAINT "Schedule_what" CHECK ("what" IN ('drop', 'rain', 'giveaway')),
    CONSTRAINT "Schedule_amount" CHECK ("amount" >= 1 AND "people" >= 1 AND "minutes" >= 1),
    CONSTRAINT "Schedule_time" CHECK ("hour" BETWEEN 0 AND 23 AND "minute" BETWEEN 0 AND 59 AND ("weekday" IS NULL OR "weekday" BETWEEN 1 AND 7)),
    CONSTRAINT "Schedule_end" CHECK ("times" BETWEEN 1 AND 52 AND "done" BETWEEN 0 AND "times"),
    CONSTRAINT "Schedule_state" CHECK ("state" IN ('on', 'done', 'stopped') AND ("state" = 'on') = ("nextAt" IS NOT NULL))
);
CREATE INDEX "Schedule_nextAt_idx" ON "Schedule"("nextAt");
CREATE INDEX "Schedule_guild_idx" ON "Schedule"("guild");
