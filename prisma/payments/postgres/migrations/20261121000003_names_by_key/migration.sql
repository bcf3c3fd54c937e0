-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- A name is found by its key alone: one look-up where a table beside an index needs two.

CREATE TABLE "Name_by_key" (
    "folded" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "display" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C",
    "staticChargeId" TEXT COLLATE "C",
    "reservedUntil" TIMESTAMP(3)
);

INSERT INTO "Name_by_key" SELECT "folded", "display", "userId", "staticChargeId", "reservedUntil" FROM "Name";
DROP TABLE "Name";
ALTER TABLE "Name_by_key" RENAME TO "Name";
CREATE INDEX "Name_userId_idx" ON "Name"("userId");
