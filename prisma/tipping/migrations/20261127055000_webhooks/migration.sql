-- Addresses to which a server's events are sent, each with the key that may hear them.
CREATE TABLE "Webhook" (
    "apiKey" TEXT NOT NULL PRIMARY KEY,
    "url" TEXT NOT NULL,
    "cursor" INTEGER NOT NULL,
    "nextTryAt" DATETIME NOT NULL,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "failingSince" DATETIME,
    "givenUpAt" DATETIME,
    CONSTRAINT "Webhook_apiKey_fkey" FOREIGN KEY ("apiKey") REFERENCES "ApiKey" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "Webhook_failures" CHECK (("failures" > 0) = ("failingSince" IS NOT NULL))
);
CREATE INDEX "Webhook_givenUpAt_nextTryAt_idx" ON "Webhook"("givenUpAt", "nextTryAt");
