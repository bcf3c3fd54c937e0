-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- What was given in a server in a week or a month, told once.
ALTER TABLE "Server" ADD COLUMN "recapChannel" TEXT COLLATE "C";
ALTER TABLE "Server" ADD COLUMN "recapMonthly" BOOLEAN NOT NULL DEFAULT false;
CREATE TABLE "Recap" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "guild" TEXT COLLATE "C" NOT NULL,
    "period" TEXT COLLATE "C" NOT NULL,
    "figures" TEXT COLLATE "C" NOT NULL,
    "card" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL
);
CREATE UNIQUE INDEX "Recap_guild_period_key" ON "Recap"("guild", "period");
