-- Among whom a server shares a sum, in percent, under a name. Nothing here has moved any sats: a payment keeps its own lines.
CREATE TABLE "Split" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "guild" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "member" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "Split_name" CHECK ("name" <> '' AND "key" <> '')
);

CREATE TABLE "SplitPart" (
    "splitId" TEXT NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "recipient" TEXT NOT NULL,
    "address" TEXT,
    "share" INTEGER NOT NULL,
    PRIMARY KEY ("splitId", "ordinal"),
    CONSTRAINT "SplitPart_share" CHECK ("share" BETWEEN 1 AND 10000),
    CONSTRAINT "SplitPart_splitId_fkey" FOREIGN KEY ("splitId") REFERENCES "Split" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE UNIQUE INDEX "Split_guild_key_key" ON "Split"("guild", "key");

CREATE UNIQUE INDEX "SplitPart_splitId_recipient_key" ON "SplitPart"("splitId", "recipient");

CREATE INDEX "SplitPart_recipient_idx" ON "SplitPart"("recipient");

CREATE INDEX "SplitPart_address_idx" ON "SplitPart"("address");
