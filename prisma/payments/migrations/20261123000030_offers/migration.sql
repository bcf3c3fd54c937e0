-- Offers (BOLT 12) of our node by which anybody can pay a user or a static charge, as often as they like.

CREATE TABLE "Offer" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "text" TEXT NOT NULL,
    "node" TEXT NOT NULL,
    "purpose" TEXT NOT NULL CHECK ("purpose" IN ('static-charge', 'address')),
    "resourceId" TEXT NOT NULL,
    "payeeKind" TEXT NOT NULL CHECK ("payeeKind" IN ('project', 'user')),
    "payeeId" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL
);

CREATE UNIQUE INDEX "Offer_text_key" ON "Offer"("text");

CREATE UNIQUE INDEX "Offer_node_purpose_resourceId_description_key" ON "Offer"("node", "purpose", "resourceId", "description");
