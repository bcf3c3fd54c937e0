-- Somebody asks the others in a channel for sats. What is given to it are tips; it holds nothing itself.
CREATE TABLE "Ask" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "member" TEXT NOT NULL,
    "guild" TEXT NOT NULL,
    "channel" TEXT NOT NULL,
    "card" TEXT NOT NULL,
    "goal" BIGINT NOT NULL,
    "reason" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "endsAt" DATETIME NOT NULL,
    "closedBy" TEXT,
    "createdAt" DATETIME NOT NULL,
    "endedAt" DATETIME,
    CONSTRAINT "Ask_goal" CHECK ("goal" >= 1),
    CONSTRAINT "Ask_state" CHECK ("state" IN ('open', 'reached', 'over', 'closed')),
    CONSTRAINT "Ask_ended" CHECK (("state" = 'open') = ("endedAt" IS NULL))
);

CREATE TABLE "AskGift" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "askId" TEXT NOT NULL,
    "member" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "AskGift_amount" CHECK ("amount" >= 1),
    CONSTRAINT "AskGift_askId_fkey" FOREIGN KEY ("askId") REFERENCES "Ask" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE INDEX "Ask_member_state_idx" ON "Ask"("member", "state");

CREATE INDEX "AskGift_askId_member_idx" ON "AskGift"("askId", "member");

CREATE TRIGGER "AskGift_while_open" BEFORE INSERT ON "AskGift"
WHEN (SELECT "state" FROM "Ask" WHERE "id" = NEW."askId") <> 'open'
BEGIN SELECT RAISE(ABORT, 'nobody gives to what is closed'); END;
CREATE TRIGGER "AskGift_no_update" BEFORE UPDATE ON "AskGift" BEGIN SELECT RAISE(ABORT, 'gifts stay as they are'); END;
CREATE TRIGGER "AskGift_no_delete" BEFORE DELETE ON "AskGift" BEGIN SELECT RAISE(ABORT, 'gifts stay as they are'); END;
