-- Vouchers, what was redeemed through the bot, drops with their claims and wrong answers, and who is active where.

CREATE TABLE "Voucher" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "member" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "feeLimit" BIGINT NOT NULL,
    "fee" BIGINT,
    "description" TEXT NOT NULL,
    "recipient" TEXT,
    "dropId" TEXT,
    "holder" TEXT,
    "state" TEXT NOT NULL,
    "revoking" BOOLEAN NOT NULL DEFAULT false,
    "reason" TEXT,
    "card" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "provider" TEXT,
    "body" TEXT,
    "sentAt" DATETIME,
    "voucherId" TEXT,
    "code" TEXT,
    "createdAt" DATETIME NOT NULL,
    "endedAt" DATETIME,
    CONSTRAINT "Voucher_dropId_fkey" FOREIGN KEY ("dropId") REFERENCES "Drop" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
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
    "id" TEXT NOT NULL PRIMARY KEY,
    "member" TEXT NOT NULL,
    "code" TEXT,
    "amount" BIGINT,
    "state" TEXT NOT NULL,
    "reason" TEXT,
    "card" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "endedAt" DATETIME,
    CONSTRAINT "Redemption_state" CHECK ("state" IN ('sending', 'unknown', 'redeemed', 'wrong', 'over', 'failed')),
    CONSTRAINT "Redemption_amount" CHECK (("state" = 'redeemed') = ("amount" IS NOT NULL)),
    CONSTRAINT "Redemption_positive" CHECK ("amount" IS NULL OR "amount" >= 1),
    CONSTRAINT "Redemption_code" CHECK (("state" IN ('sending', 'unknown')) = ("code" IS NOT NULL)),
    CONSTRAINT "Redemption_ended" CHECK (("state" IN ('sending', 'unknown')) = ("endedAt" IS NULL))
);

CREATE TABLE "Drop" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "member" TEXT NOT NULL,
    "guild" TEXT,
    "channel" TEXT NOT NULL,
    "card" TEXT NOT NULL,
    "share" BIGINT NOT NULL,
    "shares" INTEGER NOT NULL,
    "claimed" INTEGER NOT NULL DEFAULT 0,
    "state" TEXT NOT NULL,
    "draw" BOOLEAN NOT NULL,
    "codes" BOOLEAN NOT NULL,
    "puzzle" TEXT,
    "question" TEXT,
    "answer" TEXT,
    "role" TEXT,
    "accountDays" INTEGER,
    "memberDays" INTEGER,
    "closesAt" DATETIME NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "closedAt" DATETIME,
    "closedBy" TEXT,
    CONSTRAINT "Drop_share" CHECK ("share" >= 1),
    CONSTRAINT "Drop_claimed" CHECK ("claimed" BETWEEN 0 AND "shares"),
    CONSTRAINT "Drop_state" CHECK ("state" IN ('open', 'closed')),
    CONSTRAINT "Drop_closed" CHECK (("state" = 'closed') = ("closedAt" IS NOT NULL)),
    CONSTRAINT "Drop_puzzle" CHECK (("puzzle" IS NULL AND "question" IS NULL AND "answer" IS NULL) OR ("puzzle" IN ('phrase', 'sum', 'trivia') AND "question" IS NOT NULL AND "answer" IS NOT NULL))
);

CREATE TABLE "DropClaim" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "dropId" TEXT NOT NULL,
    "member" TEXT NOT NULL,
    "lightningId" TEXT,
    "state" TEXT NOT NULL,
    "voucherId" TEXT,
    "card" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "DropClaim_dropId_fkey" FOREIGN KEY ("dropId") REFERENCES "Drop" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "DropClaim_voucherId_fkey" FOREIGN KEY ("voucherId") REFERENCES "Voucher" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "DropClaim_state" CHECK ("state" IN ('entered', 'given', 'missed'))
);

CREATE TABLE "DropAttempt" (
    "dropId" TEXT NOT NULL,
    "member" TEXT NOT NULL,
    "wrong" INTEGER NOT NULL,
    PRIMARY KEY ("dropId", "member"),
    CONSTRAINT "DropAttempt_dropId_fkey" FOREIGN KEY ("dropId") REFERENCES "Drop" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE TABLE "Presence" (
    "guild" TEXT NOT NULL,
    "member" TEXT NOT NULL,
    "seenAt" DATETIME NOT NULL,
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
