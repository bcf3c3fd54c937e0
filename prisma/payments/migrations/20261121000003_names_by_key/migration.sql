-- A name is found by its key alone: one look-up where a table beside an index needs two.

CREATE TABLE "Name_by_key" (
    "folded" TEXT NOT NULL PRIMARY KEY,
    "display" TEXT NOT NULL,
    "userId" TEXT,
    "staticChargeId" TEXT,
    "reservedUntil" DATETIME
) WITHOUT ROWID;

INSERT INTO "Name_by_key" SELECT "folded", "display", "userId", "staticChargeId", "reservedUntil" FROM "Name";
DROP TABLE "Name";
ALTER TABLE "Name_by_key" RENAME TO "Name";
CREATE INDEX "Name_userId_idx" ON "Name"("userId");
