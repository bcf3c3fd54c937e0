-- What was given in a server in a week or a month, told once.
ALTER TABLE "Server" ADD COLUMN "recapChannel" TEXT;
ALTER TABLE "Server" ADD COLUMN "recapMonthly" BOOLEAN NOT NULL DEFAULT false;
CREATE TABLE "Recap" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "guild" TEXT NOT NULL,
    "period" TEXT NOT NULL,
    "figures" TEXT NOT NULL,
    "card" TEXT,
    "createdAt" DATETIME NOT NULL
);
CREATE UNIQUE INDEX "Recap_guild_period_key" ON "Recap"("guild", "period");
