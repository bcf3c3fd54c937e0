-- Members and their links, tips, claims, payouts, deposits, invoices; what is watched, shown and alarmed.

CREATE TABLE "Member" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "seenAt" DATETIME NOT NULL
);

CREATE TABLE "Link" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "member" TEXT NOT NULL,
    "lightningId" TEXT NOT NULL,
    "gamertag" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "endedAt" DATETIME,
    "frozenAt" DATETIME
);

CREATE TABLE "Operation" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "verb" TEXT NOT NULL,
    "record" TEXT NOT NULL,
    "interaction" TEXT,
    "ordinal" INTEGER NOT NULL DEFAULT 0,
    "digest" TEXT NOT NULL DEFAULT '',
    "createdAt" DATETIME NOT NULL
);

CREATE TABLE "Tip" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "sender" TEXT NOT NULL,
    "note" TEXT NOT NULL,
    "total" BIGINT NOT NULL,
    "guild" TEXT,
    "channel" TEXT NOT NULL,
    "card" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "Tip_total" CHECK ("total" >= 1)
);

CREATE TABLE "TipShare" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "tipId" TEXT NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "recipient" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "state" TEXT NOT NULL,
    "until" DATETIME,
    "claimId" TEXT,
    CONSTRAINT "TipShare_tipId_fkey" FOREIGN KEY ("tipId") REFERENCES "Tip" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "TipShare_amount" CHECK ("amount" >= 1),
    CONSTRAINT "TipShare_state" CHECK ("state" IN ('credited', 'parked', 'claimed', 'returned')),
    CONSTRAINT "TipShare_claimed" CHECK (("state" = 'claimed') = ("claimId" IS NOT NULL)),
    CONSTRAINT "TipShare_parked" CHECK ("state" <> 'parked' OR "until" IS NOT NULL)
);

CREATE TABLE "Claim" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "member" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "card" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "Claim_amount" CHECK ("amount" >= 1)
);

CREATE TABLE "Payout" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "cause" TEXT NOT NULL,
    "card" TEXT NOT NULL,
    "member" TEXT NOT NULL,
    "lightningId" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "description" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "because" TEXT,
    "reason" TEXT,
    "key" TEXT NOT NULL,
    "provider" TEXT,
    "body" TEXT,
    "sentAt" DATETIME,
    "transactionId" TEXT,
    "receiverId" TEXT,
    "createdAt" DATETIME NOT NULL,
    "endedAt" DATETIME,
    CONSTRAINT "Payout_amount" CHECK ("amount" >= 1),
    CONSTRAINT "Payout_state" CHECK ("state" IN ('reserved', 'sending', 'unknown', 'paid', 'kept', 'misdirected')),
    CONSTRAINT "Payout_sent" CHECK ("state" IN ('reserved', 'kept') OR ("provider" IS NOT NULL AND "body" IS NOT NULL AND "sentAt" IS NOT NULL)),
    CONSTRAINT "Payout_kept" CHECK (("state" = 'kept') = ("because" IS NOT NULL)),
    CONSTRAINT "Payout_because" CHECK ("because" IN ('refused', 'unreachable', 'paused', 'interrupted', 'unlinked')),
    CONSTRAINT "Payout_ended" CHECK (("state" IN ('paid', 'kept', 'misdirected')) = ("endedAt" IS NOT NULL))
);

CREATE TABLE "Deposit" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "member" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "state" TEXT NOT NULL,
    "card" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "chargeId" TEXT,
    "request" TEXT,
    "credited" INTEGER NOT NULL DEFAULT 0,
    "disabled" BOOLEAN NOT NULL DEFAULT false,
    "reason" TEXT,
    "createdAt" DATETIME NOT NULL,
    "paidAt" DATETIME,
    CONSTRAINT "Deposit_amount" CHECK ("amount" >= 1),
    CONSTRAINT "Deposit_state" CHECK ("state" IN ('creating', 'open', 'paid', 'closed', 'failed')),
    CONSTRAINT "Deposit_charge" CHECK ("state" IN ('creating', 'failed') OR ("chargeId" IS NOT NULL AND "request" IS NOT NULL)),
    CONSTRAINT "Deposit_paid" CHECK (("state" = 'paid') = ("credited" >= 1) AND ("state" = 'paid') = ("paidAt" IS NOT NULL))
);

CREATE TABLE "Invoice" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "member" TEXT NOT NULL,
    "lightningId" TEXT NOT NULL,
    "gamertag" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "description" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "card" TEXT NOT NULL,
    "channel" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "chargeId" TEXT,
    "request" TEXT,
    "reason" TEXT,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "paidAt" DATETIME,
    CONSTRAINT "Invoice_amount" CHECK ("amount" >= 1),
    CONSTRAINT "Invoice_state" CHECK ("state" IN ('creating', 'open', 'paid', 'reported', 'expired', 'failed')),
    CONSTRAINT "Invoice_request" CHECK ("state" IN ('creating', 'failed') OR "request" IS NOT NULL),
    CONSTRAINT "Invoice_paid" CHECK (("state" IN ('paid', 'reported')) = ("paidAt" IS NOT NULL))
);

CREATE TABLE "Watch" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "kind" TEXT NOT NULL,
    "token" TEXT,
    "bornAt" DATETIME NOT NULL,
    "nextAt" DATETIME,
    "looks" INTEGER NOT NULL DEFAULT 0,
    "hints" INTEGER NOT NULL DEFAULT 0,
    "said" TEXT
);

CREATE TABLE "Card" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "kind" TEXT NOT NULL,
    "record" TEXT NOT NULL,
    "channel" TEXT,
    "member" TEXT,
    "interaction" TEXT,
    "guild" TEXT,
    "from" TEXT,
    "reply" TEXT,
    "locale" TEXT,
    "message" TEXT,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "shown" INTEGER NOT NULL DEFAULT 0,
    "pending" BOOLEAN NOT NULL DEFAULT true,
    "untold" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "Card_audience" CHECK (("channel" IS NULL) <> ("member" IS NULL)),
    CONSTRAINT "Card_shown" CHECK ("shown" <= "revision")
);

CREATE TABLE "Alarm" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "kind" TEXT NOT NULL,
    "about" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "at" DATETIME NOT NULL,
    "toldAt" DATETIME
);

CREATE TABLE "ExitPause" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "source" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "since" DATETIME NOT NULL,
    "until" DATETIME,
    CONSTRAINT "ExitPause_source" CHECK ("source" IN ('cover', 'operator'))
);

CREATE TABLE "Opening" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "amount" BIGINT NOT NULL,
    "at" DATETIME NOT NULL,
    CONSTRAINT "Opening_once" CHECK ("id" = 1)
);

CREATE INDEX "Link_member_idx" ON "Link"("member");

CREATE INDEX "Link_lightningId_idx" ON "Link"("lightningId");

CREATE UNIQUE INDEX "Operation_interaction_ordinal_key" ON "Operation"("interaction", "ordinal");

CREATE UNIQUE INDEX "Operation_verb_record_key" ON "Operation"("verb", "record");

CREATE INDEX "Tip_sender_createdAt_idx" ON "Tip"("sender", "createdAt");

CREATE INDEX "TipShare_recipient_state_idx" ON "TipShare"("recipient", "state");

CREATE INDEX "TipShare_state_until_idx" ON "TipShare"("state", "until");

CREATE INDEX "TipShare_claimId_idx" ON "TipShare"("claimId");

CREATE UNIQUE INDEX "TipShare_tipId_ordinal_key" ON "TipShare"("tipId", "ordinal");

CREATE UNIQUE INDEX "TipShare_tipId_recipient_key" ON "TipShare"("tipId", "recipient");

CREATE INDEX "Claim_member_idx" ON "Claim"("member");

CREATE UNIQUE INDEX "Payout_cause_key" ON "Payout"("cause");

CREATE UNIQUE INDEX "Payout_key_key" ON "Payout"("key");

CREATE INDEX "Payout_state_idx" ON "Payout"("state");

CREATE INDEX "Payout_member_state_idx" ON "Payout"("member", "state");

CREATE UNIQUE INDEX "Deposit_key_key" ON "Deposit"("key");

CREATE UNIQUE INDEX "Deposit_chargeId_key" ON "Deposit"("chargeId");

CREATE INDEX "Deposit_member_state_idx" ON "Deposit"("member", "state");

CREATE INDEX "Deposit_state_idx" ON "Deposit"("state");

CREATE UNIQUE INDEX "Invoice_key_key" ON "Invoice"("key");

CREATE UNIQUE INDEX "Invoice_chargeId_key" ON "Invoice"("chargeId");

CREATE INDEX "Invoice_member_state_idx" ON "Invoice"("member", "state");

CREATE UNIQUE INDEX "Watch_token_key" ON "Watch"("token");

CREATE INDEX "Watch_nextAt_idx" ON "Watch"("nextAt");

CREATE INDEX "Card_pending_createdAt_idx" ON "Card"("pending", "createdAt");

CREATE INDEX "Card_member_untold_idx" ON "Card"("member", "untold");

CREATE UNIQUE INDEX "Card_kind_record_key" ON "Card"("kind", "record");

CREATE UNIQUE INDEX "Alarm_kind_about_key" ON "Alarm"("kind", "about");

-- While it lasts, a link is the only one of its member and the only one of its Lightning account.
CREATE UNIQUE INDEX "Link_member_live" ON "Link"("member") WHERE "endedAt" IS NULL;
CREATE UNIQUE INDEX "Link_lightning_live" ON "Link"("lightningId") WHERE "endedAt" IS NULL;

-- One pause of each source at a time.
CREATE UNIQUE INDEX "ExitPause_live" ON "ExitPause"("source") WHERE "until" IS NULL;
