-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- Vouchers, what was redeemed through the bot, drops with their claims and wrong answers, and who is active where.

CREATE TABLE "Voucher" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "member" TEXT COLLATE "C" NOT NULL,
    "amount" BIGINT NOT NULL,
    "feeLimit" BIGINT NOT NULL,
    "fee" BIGINT,
    "description" TEXT COLLATE "C" NOT NULL,
    "recipient" TEXT COLLATE "C",
    "dropId" TEXT COLLATE "C",
    "holder" TEXT COLLATE "C",
    "state" TEXT COLLATE "C" NOT NULL,
    "revoking" BOOLEAN NOT NULL DEFAULT false,
    "reason" TEXT COLLATE "C",
    "card" TEXT COLLATE "C" NOT NULL,
    "key" TEXT COLLATE "C" NOT NULL,
    "provider" TEXT COLLATE "C",
    "body" TEXT COLLATE "C",
    "sentAt" TIMESTAMP(3),
    "voucherId" TEXT COLLATE "C",
    "code" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    "endedAt" TIMESTAMP(3),
    CONSTRAINT "Voucher_amount" CHECK ("amount" >= 1 AND "feeLimit" >= 0),
    CONSTRAINT "Voucher_state" CHECK ("state" IN ('reserved', 'sending', 'unknown', 'live', 'failed', 'redeemed', 'revoked')),
    CONSTRAINT "Voucher_sent" CHECK ("state" IN ('reserved', 'failed') OR ("provider" IS NOT NULL AND "body" IS NOT NULL AND "sentAt" IS NOT NULL)),
    CONSTRAINT "Voucher_created" CHECK (("state" IN ('live', 'redeemed', 'revoked')) = ("voucherId" IS NOT NULL)),
    -- A code is kept only as long as it is worth something.
    CONSTRAINT "Voucher_code" CHECK (("state" = 'live') = ("code" IS NOT NULL)),
    CONSTRAINT "Voucher_ended" CHECK (("state" IN ('failed', 'redeemed', 'revoked')) = ("endedAt" IS NOT NULL)),
    CONSTRAINT "Voucher_holder" CHECK ("holder" IS NULL OR "dropId" IS NOT NULL)
);

CREATE TABLE "Redemption" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "member" TEXT COLLATE "C" NOT NULL,
    "code" TEXT COLLATE "C",
    "amount" BIGINT,
    "state" TEXT COLLATE "C" NOT NULL,
    "reason" TEXT COLLATE "C",
    "card" TEXT COLLATE "C" NOT NULL,
    "key" TEXT COLLATE "C" NOT NULL,
    "provider" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "endedAt" TIMESTAMP(3),
    CONSTRAINT "Redemption_state" CHECK ("state" IN ('sending', 'unknown', 'redeemed', 'wrong', 'over', 'failed')),
    CONSTRAINT "Redemption_amount" CHECK (("state" = 'redeemed') = ("amount" IS NOT NULL)),
    CONSTRAINT "Redemption_positive" CHECK ("amount" IS NULL OR "amount" >= 1),
    CONSTRAINT "Redemption_code" CHECK (("state" IN ('sending', 'unknown')) = ("code" IS NOT NULL)),
    CONSTRAINT "Redemption_ended" CHECK (("state" IN ('sending', 'unknown')) = ("endedAt" IS NULL))
);

CREATE TABLE "Drop" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "member" TEXT COLLATE "C" NOT NULL,
    "guild" TEXT COLLATE "C",
    "channel" TEXT COLLATE "C" NOT NULL,
    "card" TEXT COLLATE "C" NOT NULL,
    "share" BIGINT NOT NULL,
    "shares" INTEGER NOT NULL,
    "claimed" INTEGER NOT NULL DEFAULT 0,
    "state" TEXT COLLATE "C" NOT NULL,
    "draw" BOOLEAN NOT NULL,
    "codes" BOOLEAN NOT NULL,
    "puzzle" TEXT COLLATE "C",
    "question" TEXT COLLATE "C",
    "answer" TEXT COLLATE "C",
    "role" TEXT COLLATE "C",
    "accountDays" INTEGER,
    "memberDays" INTEGER,
    "closesAt" TIMESTAMP(3) NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "closedAt" TIMESTAMP(3),
    "closedBy" TEXT COLLATE "C",
    CONSTRAINT "Drop_share" CHECK ("share" >= 1),
    CONSTRAINT "Drop_claimed" CHECK ("claimed" BETWEEN 0 AND "shares"),
    CONSTRAINT "Drop_state" CHECK ("state" IN ('open', 'closed')),
    CONSTRAINT "Drop_closed" CHECK (("state" = 'closed') = ("closedAt" IS NOT NULL)),
    CONSTRAINT "Drop_puzzle" CHECK (("puzzle" IS NULL AND "question" IS NULL AND "answer" IS NULL) OR ("puzzle" IN ('phrase', 'sum', 'trivia') AND "question" IS NOT NULL AND "answer" IS NOT NULL))
);

CREATE TABLE "DropClaim" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "dropId" TEXT COLLATE "C" NOT NULL,
    "member" TEXT COLLATE "C" NOT NULL,
    "lightningId" TEXT COLLATE "C",
    "state" TEXT COLLATE "C" NOT NULL,
    "voucherId" TEXT COLLATE "C",
    "card" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    CONSTRAINT "DropClaim_state" CHECK ("state" IN ('entered', 'given', 'missed'))
);

CREATE TABLE "DropAttempt" (
    "dropId" TEXT COLLATE "C" NOT NULL,
    "member" TEXT COLLATE "C" NOT NULL,
    "wrong" INTEGER NOT NULL,
    PRIMARY KEY ("dropId", "member")
);

CREATE TABLE "Presence" (
    "guild" TEXT COLLATE "C" NOT NULL,
    "member" TEXT COLLATE "C" NOT NULL,
    "seenAt" TIMESTAMP(3) NOT NULL,
    PRIMARY KEY ("guild", "member")
);

CREATE UNIQUE INDEX "Voucher_key_key" ON "Voucher"("key");

CREATE UNIQUE INDEX "Voucher_voucherId_key" ON "Voucher"("voucherId");

CREATE INDEX "Voucher_member_createdAt_idx" ON "Voucher"("member", "createdAt");

CREATE INDEX "Voucher_state_idx" ON "Voucher"("state");

CREATE INDEX "Voucher_dropId_state_idx" ON "Voucher"("dropId", "state");

CREATE UNIQUE INDEX "Redemption_key_key" ON "Redemption"("key");

CREATE INDEX "Redemption_member_createdAt_idx" ON "Redemption"("member", "createdAt");

CREATE INDEX "Redemption_state_idx" ON "Redemption"("state");

CREATE INDEX "Drop_state_closesAt_idx" ON "Drop"("state", "closesAt");

-- A drop once per person, and once per Lightning account: two Discord accounts cannot share one.
CREATE UNIQUE INDEX "DropClaim_dropId_member_key" ON "DropClaim"("dropId", "member");

CREATE UNIQUE INDEX "DropClaim_dropId_lightningId_key" ON "DropClaim"("dropId", "lightningId");

CREATE UNIQUE INDEX "DropClaim_voucherId_key" ON "DropClaim"("voucherId");

CREATE INDEX "Presence_guild_seenAt_idx" ON "Presence"("guild", "seenAt");
ALTER TABLE "Voucher" ADD CONSTRAINT "Voucher_dropId_fkey" FOREIGN KEY ("dropId") REFERENCES "Drop" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "DropClaim" ADD CONSTRAINT "DropClaim_dropId_fkey" FOREIGN KEY ("dropId") REFERENCES "Drop" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "DropClaim" ADD CONSTRAINT "DropClaim_voucherId_fkey" FOREIGN KEY ("voucherId") REFERENCES "Voucher" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "DropAttempt" ADD CONSTRAINT "DropAttempt_dropId_fkey" FOREIGN KEY ("dropId") REFERENCES "Drop" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
