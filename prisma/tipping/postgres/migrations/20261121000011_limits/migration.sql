-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- What people have used of what they may, by Discord account and by Lightning account.

CREATE TABLE "Usage" (
    "key" TEXT COLLATE "C" NOT NULL,
    "day" TEXT COLLATE "C" NOT NULL,
    "used" BIGINT NOT NULL,
    "cap" BIGINT NOT NULL,
    PRIMARY KEY ("key", "day"),
    CONSTRAINT "Usage_within" CHECK ("used" BETWEEN 0 AND "cap")
);

CREATE TABLE "CoolDown" (
    "key" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "until" TIMESTAMP(3) NOT NULL
);
