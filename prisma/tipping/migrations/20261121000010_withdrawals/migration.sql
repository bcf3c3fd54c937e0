-- Sats on their way out of a balance.

CREATE TABLE "Withdrawal" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "member" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "feeLimit" BIGINT NOT NULL,
    "everything" BOOLEAN NOT NULL DEFAULT false,
    "destination" TEXT,
    "about" TEXT,
    "state" TEXT NOT NULL,
    "because" TEXT,
    "reason" TEXT,
    "invoice" TEXT,
    "paymentHash" TEXT,
    "card" TEXT,
    "key" TEXT NOT NULL,
    "token" TEXT,
    "provider" TEXT,
    "body" TEXT,
    "sentAt" DATETIME,
    "remoteId" TEXT,
    "request" TEXT,
    "expiresAt" DATETIME,
    "fee" BIGINT,
    "createdAt" DATETIME NOT NULL,
    "endedAt" DATETIME,
    CONSTRAINT "Withdrawal_amount" CHECK ("amount" >= 1 AND "feeLimit" >= 0),
    CONSTRAINT "Withdrawal_kind" CHECK ("kind" IN ('request', 'invoice', 'address', 'pay')),
    CONSTRAINT "Withdrawal_about" CHECK (("kind" = 'pay') = ("about" IS NOT NULL) AND ("kind" = 'address') = ("destination" IS NOT NULL)),
    CONSTRAINT "Withdrawal_state" CHECK ("state" IN ('asked', 'cancelled', 'reserved', 'sending', 'unknown', 'offered', 'claimed', 'paid', 'returned')),
    CONSTRAINT "Withdrawal_confirmed" CHECK (("state" IN ('asked', 'cancelled')) = ("card" IS NULL)),
    CONSTRAINT "Withdrawal_invoice" CHECK (("invoice" IS NULL) = ("paymentHash" IS NULL) AND ("kind" <> 'request' OR "invoice" IS NULL) AND ("kind" = 'request' OR "invoice" IS NOT NULL OR "state" IN ('asked', 'cancelled'))),
    CONSTRAINT "Withdrawal_sent" CHECK ("state" IN ('asked', 'cancelled', 'reserved', 'returned') OR ("provider" IS NOT NULL AND "body" IS NOT NULL AND "sentAt" IS NOT NULL)),
    CONSTRAINT "Withdrawal_offered" CHECK ("state" NOT IN ('offered', 'claimed') OR ("kind" = 'request' AND "remoteId" IS NOT NULL AND "request" IS NOT NULL AND "expiresAt" IS NOT NULL)),
    CONSTRAINT "Withdrawal_returned" CHECK (("state" = 'returned') = ("because" IS NOT NULL)),
    CONSTRAINT "Withdrawal_because" CHECK ("because" IN ('refused', 'unreachable', 'failed', 'expired', 'never-shown', 'paused', 'interrupted')),
    CONSTRAINT "Withdrawal_fee" CHECK ("fee" IS NULL OR ("state" = 'paid' AND "fee" >= 0)),
    CONSTRAINT "Withdrawal_ended" CHECK (("state" IN ('cancelled', 'paid', 'returned')) = ("endedAt" IS NOT NULL))
);

CREATE INDEX "Withdrawal_member_state_idx" ON "Withdrawal"("member", "state");

CREATE INDEX "Withdrawal_state_idx" ON "Withdrawal"("state");

CREATE UNIQUE INDEX "Withdrawal_key_key" ON "Withdrawal"("key");

CREATE UNIQUE INDEX "Withdrawal_remoteId_key" ON "Withdrawal"("remoteId");

-- A payment hash leaves once, whoever pays it, unless it is proven that it did not.
CREATE UNIQUE INDEX "Withdrawal_paymentHash_live" ON "Withdrawal"("paymentHash") WHERE "state" NOT IN ('asked', 'cancelled', 'returned');

-- A member pays a request for money once.
CREATE UNIQUE INDEX "Withdrawal_about_live" ON "Withdrawal"("about", "member") WHERE "state" NOT IN ('cancelled', 'returned');
