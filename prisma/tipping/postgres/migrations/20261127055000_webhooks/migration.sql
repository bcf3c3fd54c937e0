-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- Addresses to which a server's events are sent, each with the key that may hear them.
CREATE TABLE "Webhook" (
    "apiKey" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "url" TEXT COLLATE "C" NOT NULL,
    "cursor" INTEGER NOT NULL,
    "nextTryAt" TIMESTAMP(3) NOT NULL,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "failingSince" TIMESTAMP(3),
    "givenUpAt" TIMESTAMP(3),
    CONSTRAINT "Webhook_failures" CHECK (("failures" > 0) = ("failingSince" IS NOT NULL))
);
CREATE INDEX "Webhook_givenUpAt_nextTryAt_idx" ON "Webhook"("givenUpAt", "nextTryAt");
ALTER TABLE "Webhook" ADD CONSTRAINT "Webhook_apiKey_fkey" FOREIGN KEY ("apiKey") REFERENCES "ApiKey" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
