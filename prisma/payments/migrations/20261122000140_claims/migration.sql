-- What several services must agree on: who delivers a callback, and how many wrong voucher codes somebody has tried.

ALTER TABLE "Callback" ADD COLUMN "claimedBy" TEXT;

CREATE TABLE "WrongCode" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "guesser" TEXT NOT NULL,
    "at" DATETIME NOT NULL
);
CREATE INDEX "WrongCode_guesser_at_idx" ON "WrongCode"("guesser", "at");
CREATE INDEX "WrongCode_at_idx" ON "WrongCode"("at");
