-- The end of a bot: who said so, what everybody was told, how each balance was paid out, and what is claimed of a successor.
CREATE TABLE "WindDown" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "by" DATETIME NOT NULL,
    "state" TEXT NOT NULL,
    "place" INTEGER,
    "proposedBy" TEXT NOT NULL,
    "proposedAt" DATETIME NOT NULL,
    "secondedBy" TEXT,
    "secondedAt" DATETIME,
    "dueAt" DATETIME,
    "remindAt" DATETIME,
    "round" INTEGER NOT NULL DEFAULT 0,
    "roundEndedAt" DATETIME,
    "endedAt" DATETIME,
    CONSTRAINT "WindDown_state" CHECK ("state" IN ('proposed', 'lapsed', 'on', 'listed', 'stopped')),
    CONSTRAINT "WindDown_one" CHECK ("place" IS NULL OR "place" = 1),
    CONSTRAINT "WindDown_place" CHECK (("place" IS NOT NULL) = ("state" IN ('proposed', 'on', 'listed'))),
    CONSTRAINT "WindDown_seconded" CHECK (("secondedBy" IS NOT NULL) = ("state" IN ('on', 'listed', 'stopped')) AND ("secondedBy" IS NULL) = ("secondedAt" IS NULL) AND ("secondedBy" IS NULL OR "secondedBy" <> "proposedBy")),
    CONSTRAINT "WindDown_delay" CHECK ("secondedBy" IS NULL OR "secondedBy" <> 'delay' OR ("dueAt" IS NOT NULL AND "secondedAt" >= "dueAt")),
    CONSTRAINT "WindDown_round" CHECK ("round" >= 0)
);
CREATE UNIQUE INDEX "WindDown_place_key" ON "WindDown"("place");

CREATE TABLE "WindDownNotice" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "windDownId" TEXT NOT NULL,
    "member" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "card" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "WindDownNotice_kind" CHECK ("kind" IN ('told', 'reminded')),
    CONSTRAINT "WindDownNotice_windDownId_fkey" FOREIGN KEY ("windDownId") REFERENCES "WindDown" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "WindDownNotice_windDownId_kind_member_key" ON "WindDownNotice"("windDownId", "kind", "member");

CREATE TABLE "WindDownAttempt" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "windDownId" TEXT NOT NULL,
    "member" TEXT NOT NULL,
    "round" INTEGER NOT NULL,
    "way" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "payment" TEXT,
    "problem" TEXT,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "WindDownAttempt_way" CHECK ("way" IN ('wallet', 'address', 'account', 'code')),
    CONSTRAINT "WindDownAttempt_amount" CHECK ("amount" > 0 AND "round" > 0),
    CONSTRAINT "WindDownAttempt_payment" CHECK (("payment" IS NULL) = ("problem" IS NOT NULL)),
    CONSTRAINT "WindDownAttempt_windDownId_fkey" FOREIGN KEY ("windDownId") REFERENCES "WindDown" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "WindDownAttempt_payment_key" ON "WindDownAttempt"("payment");
CREATE UNIQUE INDEX "WindDownAttempt_windDownId_member_round_key" ON "WindDownAttempt"("windDownId", "member", "round");

CREATE TABLE "WindDownClaim" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "windDownId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "WindDownClaim_kind" CHECK ("kind" IN ('member', 'pool')),
    CONSTRAINT "WindDownClaim_amount" CHECK ("amount" > 0),
    CONSTRAINT "WindDownClaim_windDownId_fkey" FOREIGN KEY ("windDownId") REFERENCES "WindDown" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "WindDownClaim_windDownId_idx" ON "WindDownClaim"("windDownId");

-- A code of a wind-down can be scanned for days; null: as long as the settings say.
ALTER TABLE "Withdrawal" ADD COLUMN "openSeconds" INTEGER;
