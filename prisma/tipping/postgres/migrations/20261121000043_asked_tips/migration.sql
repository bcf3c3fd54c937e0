-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- Large tips that wait for a second word. Nothing of them has moved.

CREATE TABLE "AskedTip" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "member" TEXT COLLATE "C" NOT NULL,
    "command" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL
);
