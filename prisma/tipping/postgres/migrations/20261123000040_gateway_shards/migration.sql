-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- Which bot runs each shard of Discord's gateway, and the session that the next one goes on with.

CREATE TABLE "GatewayShard" (
    "shard" INTEGER NOT NULL PRIMARY KEY,
    "count" INTEGER NOT NULL,
    "process" TEXT COLLATE "C",
    "session" TEXT COLLATE "C",
    "resumeUrl" TEXT COLLATE "C",
    "sequence" INTEGER,
    "intents" INTEGER,
    CONSTRAINT "GatewayShard_shard" CHECK ("shard" >= 0 AND "shard" < "count"),
    CONSTRAINT "GatewayShard_sequence" CHECK ("sequence" >= 0),
    CONSTRAINT "GatewayShard_session" CHECK (("session" IS NULL) = ("resumeUrl" IS NULL) AND ("session" IS NULL) = ("sequence" IS NULL) AND ("session" IS NULL) = ("intents" IS NULL))
);

CREATE TABLE "GatewayProcess" (
    "process" TEXT COLLATE "C" NOT NULL PRIMARY KEY
);
