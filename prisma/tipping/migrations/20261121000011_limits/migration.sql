-- What people have used of what they may, by Discord account and by Lightning account.

CREATE TABLE "Usage" (
    "key" TEXT NOT NULL,
    "day" TEXT NOT NULL,
    "used" BIGINT NOT NULL,
    "cap" BIGINT NOT NULL,
    PRIMARY KEY ("key", "day"),
    CONSTRAINT "Usage_within" CHECK ("used" BETWEEN 0 AND "cap")
);

CREATE TABLE "CoolDown" (
    "key" TEXT NOT NULL PRIMARY KEY,
    "until" DATETIME NOT NULL
);
