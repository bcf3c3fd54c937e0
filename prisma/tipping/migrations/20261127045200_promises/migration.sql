-- Tips from a wallet to people who have none yet: nothing moves until they have.
CREATE TABLE "WalletPromise" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "tipId" TEXT NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "sender" TEXT NOT NULL,
    "recipient" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "accountSince" DATETIME,
    "state" TEXT NOT NULL,
    "hindrance" TEXT,
    "until" DATETIME NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "endedAt" DATETIME,
    CONSTRAINT "WalletPromise_amount" CHECK ("amount" >= 1),
    CONSTRAINT "WalletPromise_state" CHECK ("state" IN ('promised', 'asked', 'revoked', 'lapsed')),
    CONSTRAINT "WalletPromise_ended" CHECK (("state" <> 'promised') = ("endedAt" IS NOT NULL))
);
CREATE UNIQUE INDEX "WalletPromise_tipId_ordinal_key" ON "WalletPromise"("tipId", "ordinal");
CREATE UNIQUE INDEX "WalletPromise_tipId_recipient_key" ON "WalletPromise"("tipId", "recipient");
CREATE INDEX "WalletPromise_sender_state_idx" ON "WalletPromise"("sender", "state");
CREATE INDEX "WalletPromise_recipient_state_idx" ON "WalletPromise"("recipient", "state");

-- A promise ends once.
CREATE TRIGGER "WalletPromise_end_stays" BEFORE UPDATE OF "state" ON "WalletPromise"
WHEN OLD."state" <> 'promised' AND NEW."state" <> OLD."state"
BEGIN
  SELECT RAISE(ABORT, 'a promise ends once');
END;
