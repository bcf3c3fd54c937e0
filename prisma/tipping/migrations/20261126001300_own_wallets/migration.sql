-- Wallets that members have connected (NIP-47), links to the page on which they do that, and payments from one wallet to
-- another. None of these sats is ever in the book.

CREATE TABLE "WalletConnection" (
    "member" TEXT NOT NULL PRIMARY KEY,
    "id" TEXT NOT NULL,
    "client" TEXT NOT NULL,
    "wallet" TEXT NOT NULL,
    "relays" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "methods" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "network" TEXT,
    "createdAt" DATETIME NOT NULL
);
CREATE UNIQUE INDEX "WalletConnection_id_key" ON "WalletConnection"("id");
CREATE UNIQUE INDEX "WalletConnection_client_key" ON "WalletConnection"("client");

CREATE TABLE "WalletPass" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "hash" TEXT NOT NULL,
    "member" TEXT NOT NULL,
    "locale" TEXT NOT NULL,
    "endsAt" DATETIME NOT NULL
);
CREATE UNIQUE INDEX "WalletPass_hash_key" ON "WalletPass"("hash");

CREATE TABLE "WalletPayment" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "tipId" TEXT NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "sender" TEXT NOT NULL,
    "recipient" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "connection" TEXT NOT NULL,
    "receiver" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "invoice" TEXT,
    "paymentHash" TEXT,
    "verify" TEXT,
    "expiresAt" DATETIME,
    "preimage" TEXT,
    "failure" TEXT,
    "evidence" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "endedAt" DATETIME,
    CONSTRAINT "WalletPayment_tipId_fkey" FOREIGN KEY ("tipId") REFERENCES "Tip" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "WalletPayment_amount" CHECK ("amount" >= 1),
    CONSTRAINT "WalletPayment_state" CHECK ("state" IN ('asked', 'paying', 'unknown', 'paid', 'failed', 'unconfirmed')),
    CONSTRAINT "WalletPayment_fixed" CHECK (("invoice" IS NULL) = ("paymentHash" IS NULL) AND ("invoice" IS NULL) = ("expiresAt" IS NULL)),
    CONSTRAINT "WalletPayment_asked" CHECK ("state" <> 'asked' OR "invoice" IS NULL),
    CONSTRAINT "WalletPayment_sent" CHECK ("state" IN ('asked', 'failed') OR "invoice" IS NOT NULL),
    CONSTRAINT "WalletPayment_failed" CHECK (("state" = 'failed') = ("failure" IS NOT NULL)),
    CONSTRAINT "WalletPayment_ended" CHECK (("state" IN ('paid', 'failed', 'unconfirmed')) = ("endedAt" IS NOT NULL))
);
CREATE UNIQUE INDEX "WalletPayment_paymentHash_key" ON "WalletPayment"("paymentHash");
CREATE UNIQUE INDEX "WalletPayment_tipId_ordinal_key" ON "WalletPayment"("tipId", "ordinal");
CREATE UNIQUE INDEX "WalletPayment_tipId_recipient_key" ON "WalletPayment"("tipId", "recipient");
CREATE INDEX "WalletPayment_sender_createdAt_idx" ON "WalletPayment"("sender", "createdAt");
CREATE INDEX "WalletPayment_recipient_createdAt_idx" ON "WalletPayment"("recipient", "createdAt");

-- One gift has one invoice for ever, and what is proven stays so.
CREATE TRIGGER "WalletPayment_invoice_stays" BEFORE UPDATE OF "invoice" ON "WalletPayment"
WHEN OLD."invoice" IS NOT NULL AND NEW."invoice" IS NOT OLD."invoice"
BEGIN
  SELECT RAISE(ABORT, 'a payment from a wallet has one invoice');
END;

CREATE TRIGGER "WalletPayment_paid_stays" BEFORE UPDATE OF "state" ON "WalletPayment"
WHEN OLD."state" = 'paid' AND NEW."state" <> 'paid'
BEGIN
  SELECT RAISE(ABORT, 'a payment that is proven stays paid');
END;
