-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- Among whom a server shares a sum, in percent, under a name. Nothing here has moved any sats: a payment keeps its own lines.
CREATE TABLE "Split" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "guild" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "key" TEXT COLLATE "C" NOT NULL,
    "member" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    CONSTRAINT "Split_name" CHECK ("name" <> '' AND "key" <> '')
);

CREATE TABLE "SplitPart" (
    "splitId" TEXT COLLATE "C" NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "recipient" TEXT COLLATE "C" NOT NULL,
    "address" TEXT COLLATE "C",
    "share" INTEGER NOT NULL,
    PRIMARY KEY ("splitId", "ordinal"),
    CONSTRAINT "SplitPart_share" CHECK ("share" BETWEEN 1 AND 10000)
);

CREATE UNIQUE INDEX "Split_guild_key_key" ON "Split"("guild", "key");

CREATE UNIQUE INDEX "SplitPart_splitId_recipient_key" ON "SplitPart"("splitId", "recipient");

CREATE INDEX "SplitPart_recipient_idx" ON "SplitPart"("recipient");

CREATE INDEX "SplitPart_address_idx" ON "SplitPart"("address");
ALTER TABLE "SplitPart" ADD CONSTRAINT "SplitPart_splitId_fkey" FOREIGN KEY ("splitId") REFERENCES "Split" ("id") ON DELETE CASCADE ON UPDATE CASCADE;
