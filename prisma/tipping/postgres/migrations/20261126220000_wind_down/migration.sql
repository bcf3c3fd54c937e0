-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- The end of a bot: who said so, what everybody was told, how each balance was paid out, and what is claimed of a successor.
CREATE TABLE "WindDown" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "by" TIMESTAMP(3) NOT NULL,
    "state" TEXT COLLATE "C" NOT NULL,
    "place" INTEGER,
    "proposedBy" TEXT COLLATE "C" NOT NULL,
    "proposedAt" TIMESTAMP(3) NOT NULL,
    "secondedBy" TEXT COLLATE "C",
    "secondedAt" TIMESTAMP(3),
    "dueAt" TIMESTAMP(3),
    "remindAt" TIMESTAMP(3),
    "round" INTEGER NOT NULL DEFAULT 0,
    "roundEndedAt" TIMESTAMP(3),
    "endedAt" TIMESTAMP(3),
    CONSTRAINT "WindDown_state" CHECK ("state" IN ('proposed', 'lapsed', 'on', 'listed', 'stopped')),
    CONSTRAINT "WindDown_one" CHECK ("place" IS NULL OR "place" = 1),
    CONSTRAINT "WindDown_place" CHECK (("place" IS NOT NULL) = ("state" IN ('proposed', 'on', 'listed'))),
    CONSTRAINT "WindDown_seconded" CHECK (("secondedBy" IS NOT NULL) = ("state" IN ('on', 'listed', 'stopped')) AND ("secondedBy" IS NULL) = ("secondedAt" IS NULL) AND ("secondedBy" IS NULL OR "secondedBy" <> "proposedBy")),
    CONSTRAINT "WindDown_delay" CHECK ("secondedBy" IS NULL OR "secondedBy" <> 'delay' OR ("dueAt" IS NOT NULL AND "secondedAt" >= "dueAt")),
    CONSTRAINT "WindDown_round" CHECK ("round" >= 0)
);
CREATE UNIQUE INDEX "WindDown_place_key" ON "WindDown"("place");

CREATE TABLE "WindDownNotice" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "windDownId" TEXT COLLATE "C" NOT NULL,
    "member" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "card" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    CONSTRAINT "WindDownNotice_kind" CHECK ("kind" IN ('told', 'reminded'))
);
CREATE UNIQUE INDEX "WindDownNotice_windDownId_kind_member_key" ON "WindDownNotice"("windDownId", "kind", "member");

CREATE TABLE "WindDownAttempt" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "windDownId" TEXT COLLATE "C" NOT NULL,
    "member" TEXT COLLATE "C" NOT NULL,
    "round" INTEGER NOT NULL,
    "way" TEXT COLLATE "C" NOT NULL,
    "amount" BIGINT NOT NULL,
    "payment" TEXT COLLATE "C",
    "problem" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    CONSTRAINT "WindDownAttempt_way" CHECK ("way" IN ('wallet', 'address', 'account', 'code')),
    CONSTRAINT "WindDownAttempt_amount" CHECK ("amount" > 0 AND "round" > 0),
    CONSTRAINT "WindDownAttempt_payment" CHECK (("payment" IS NULL) = ("problem" IS NOT NULL))
);
CREATE UNIQUE INDEX "WindDownAttempt_payment_key" ON "WindDownAttempt"("payment");
CREATE UNIQUE INDEX "WindDownAttempt_windDownId_member_round_key" ON "WindDownAttempt"("windDownId", "member", "round");

CREATE TABLE "WindDownClaim" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "windDownId" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "owner" TEXT COLLATE "C" NOT NULL,
    "amount" BIGINT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    CONSTRAINT "WindDownClaim_kind" CHECK ("kind" IN ('member', 'pool')),
    CONSTRAINT "WindDownClaim_amount" CHECK ("amount" > 0)
);
CREATE INDEX "WindDownClaim_windDownId_idx" ON "WindDownClaim"("windDownId");

-- A code of a wind-down can be scanned for days; null: as long as the settings say.
ALTER TABLE "Withdrawal" ADD COLUMN "openSeconds" INTEGER;
ALTER TABLE "WindDownNotice" ADD CONSTRAINT "WindDownNotice_windDownId_fkey" FOREIGN KEY ("windDownId") REFERENCES "WindDown" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "WindDownAttempt" ADD CONSTRAINT "WindDownAttempt_windDownId_fkey" FOREIGN KEY ("windDownId") REFERENCES "WindDown" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "WindDownClaim" ADD CONSTRAINT "WindDownClaim_windDownId_fkey" FOREIGN KEY ("windDownId") REFERENCES "WindDown" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
