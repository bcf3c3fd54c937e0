-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- What a bitcoin cost, every ten minutes: so that a list can say what a booking was worth at its time.
CREATE TABLE "NotedPrice" (
    "currency" TEXT COLLATE "C" NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
    "price" TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY ("currency", "at")
);
