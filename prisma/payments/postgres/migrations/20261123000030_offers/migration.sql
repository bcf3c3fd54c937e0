-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- Offers (BOLT 12) of our node by which anybody can pay a user or a static charge, as often as they like.

CREATE TABLE "Offer" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "text" TEXT COLLATE "C" NOT NULL,
    "node" TEXT COLLATE "C" NOT NULL,
    "purpose" TEXT COLLATE "C" NOT NULL CHECK ("purpose" IN ('static-charge', 'address')),
    "resourceId" TEXT COLLATE "C" NOT NULL,
    "payeeKind" TEXT COLLATE "C" NOT NULL CHECK ("payeeKind" IN ('project', 'user')),
    "payeeId" TEXT COLLATE "C" NOT NULL,
    "description" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL
);

CREATE UNIQUE INDEX "Offer_text_key" ON "Offer"("text");

CREATE UNIQUE INDEX "Offer_node_purpose_resourceId_description_key" ON "Offer"("node", "purpose", "resourceId", "description");
