-- A book that comes from a backup pauses its exits by itself. SQLite changes no CHECK in place, so the table is made anew,
-- with its index.

CREATE TABLE "ExitPause_next" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "source" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "since" DATETIME NOT NULL,
    "until" DATETIME,
    CONSTRAINT "ExitPause_source" CHECK ("source" IN ('cover', 'operator', 'restore'))
);

INSERT INTO "ExitPause_next" SELECT "id", "source", "reason", "since", "until" FROM "ExitPause";
DROP TABLE "ExitPause";
ALTER TABLE "ExitPause_next" RENAME TO "ExitPause";

-- One pause of each source at a time.
CREATE UNIQUE INDEX "ExitPause_live" ON "ExitPause"("source") WHERE "until" IS NULL;
