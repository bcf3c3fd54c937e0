-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- Sats on their way out of a balance.

CREATE TABLE "Withdrawal" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "member" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "amount" BIGINT NOT NULL,
    "feeLimit" BIGINT NOT NULL,
    "everything" BOOLEAN NOT NULL DEFAULT false,
    "destination" TEXT COLLATE "C",
    "about" TEXT COLLATE "C",
    "state" TEXT COLLATE "C" NOT NULL,
    "because" TEXT COLLATE "C",
    "reason" TEXT COLLATE "C",
    "invoice" TEXT COLLATE "C",
    "paymentHash" TEXT COLLATE "C",
    "card" TEXT COLLATE "C",
    "key" TEXT COLLATE "C" NOT NULL,
    "token" TEXT COLLATE "C",
    "provider" TEXT COLLATE "C",
    "body" TEXT COLLATE "C",
    "sentAt" TIMESTAMP(3),
    "remoteId" TEXT COLLATE "C",
    "request" TEXT COLLATE "C",
    "expiresAt" TIMESTAMP(3),
    "fee" BIGINT,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "endedAt" TIMESTAMP(3),
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
