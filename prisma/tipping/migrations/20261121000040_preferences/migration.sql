-- What members and servers chose for themselves.

ALTER TABLE "Member" ADD COLUMN "receipts" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "Member" ADD COLUMN "hidden" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "Member" ADD COLUMN "reactionTip" BIGINT CHECK ("reactionTip" >= 1);
ALTER TABLE "Member" ADD COLUMN "language" TEXT;

CREATE TABLE "Server" (
    "guild" TEXT NOT NULL PRIMARY KEY,
    "channels" TEXT NOT NULL DEFAULT '[]',
    "moderatorRoles" TEXT NOT NULL DEFAULT '[]',
    "smallestTip" BIGINT,
    "largestTip" BIGINT,
    "parkingDays" INTEGER,
    "language" TEXT,
    "confirmAbove" BIGINT,
    "approvalAbove" BIGINT,
    CONSTRAINT "Server_tips" CHECK ("smallestTip" >= 1 AND "largestTip" >= 1 AND "smallestTip" <= "largestTip"
        OR "smallestTip" IS NULL OR "largestTip" IS NULL),
    CONSTRAINT "Server_parking" CHECK ("parkingDays" BETWEEN 1 AND 365),
    CONSTRAINT "Server_thresholds" CHECK ("confirmAbove" >= 0 AND "approvalAbove" >= 0
        OR "confirmAbove" IS NULL OR "approvalAbove" IS NULL)
);

-- Who changed what in a server, and moved its pool: never changed, never deleted.
CREATE TABLE "Deed" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "guild" TEXT NOT NULL,
    "member" TEXT NOT NULL,
    "deed" TEXT NOT NULL,
    "about" TEXT NOT NULL,
    "at" DATETIME NOT NULL
);

CREATE INDEX "Deed_guild_id_idx" ON "Deed"("guild", "id");

CREATE TRIGGER "Deed_no_update" BEFORE UPDATE ON "Deed" BEGIN SELECT RAISE(ABORT, 'the record of deeds is append-only'); END;
CREATE TRIGGER "Deed_no_delete" BEFORE DELETE ON "Deed" BEGIN SELECT RAISE(ABORT, 'the record of deeds is append-only'); END;
