-- Links to the operators' page, and sessions there, for all bots of the book.

CREATE TABLE "OperatorPass" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "hash" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "operator" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "endsAt" DATETIME NOT NULL
);
CREATE UNIQUE INDEX "OperatorPass_hash_key" ON "OperatorPass"("hash");
