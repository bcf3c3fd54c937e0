-- Harmless keys that the provider has replayed. One that it still replays proves that it has forgotten nothing since.

CREATE TABLE "ReplayKey" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "provider" TEXT NOT NULL,
    "key" TEXT NOT NULL
);
CREATE UNIQUE INDEX "ReplayKey_key_key" ON "ReplayKey"("key");
