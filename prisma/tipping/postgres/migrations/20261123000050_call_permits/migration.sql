-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- How many calls to Discord each bot may have under way, what it wants, and its invalid calls of the last ten minutes.

CREATE TABLE "CallPermits" (
    "process" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "permits" INTEGER NOT NULL,
    "answers" INTEGER NOT NULL,
    "cards" INTEGER NOT NULL,
    "background" INTEGER NOT NULL,
    "invalid" INTEGER NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
    CONSTRAINT "CallPermits_counts" CHECK ("permits" >= 0 AND "answers" >= 0 AND "cards" >= 0 AND "background" >= 0 AND "invalid" >= 0)
);
