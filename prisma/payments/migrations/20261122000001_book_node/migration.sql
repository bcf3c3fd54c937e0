-- The Lightning node that the book belongs to: its cursor, invoices and payments mean nothing to another one.

CREATE TABLE "BookNode" (
    "id" INTEGER NOT NULL PRIMARY KEY,
    "kind" TEXT NOT NULL,
    "pubkey" TEXT NOT NULL,
    "network" TEXT NOT NULL,
    "since" DATETIME NOT NULL,
    CONSTRAINT "BookNode_one" CHECK ("id" = 1)
);

-- Until now the sandbox was the only node there was. Its key was not noted: the next start notes it.
INSERT INTO "BookNode" ("id", "kind", "pubkey", "network", "since")
SELECT 1, 'sandbox', '', 'regtest', "at" FROM "Entry" ORDER BY "id" LIMIT 1;
