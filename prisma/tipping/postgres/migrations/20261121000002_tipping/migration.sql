-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- Members and their links, tips, claims, payouts, deposits, invoices; what is watched, shown and alarmed.

CREATE TABLE "Member" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "seenAt" TIMESTAMP(3) NOT NULL
);

CREATE TABLE "Link" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "member" TEXT COLLATE "C" NOT NULL,
    "lightningId" TEXT COLLATE "C" NOT NULL,
    "gamertag" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "endedAt" TIMESTAMP(3),
    "frozenAt" TIMESTAMP(3)
);

CREATE TABLE "Operation" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "verb" TEXT COLLATE "C" NOT NULL,
    "record" TEXT COLLATE "C" NOT NULL,
    "interaction" TEXT COLLATE "C",
    "ordinal" INTEGER NOT NULL DEFAULT 0,
    "digest" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "createdAt" TIMESTAMP(3) NOT NULL
);

CREATE TABLE "Tip" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "sender" TEXT COLLATE "C" NOT NULL,
    "note" TEXT COLLATE "C" NOT NULL,
    "total" BIGINT NOT NULL,
    "guild" TEXT COLLATE "C",
    "channel" TEXT COLLATE "C" NOT NULL,
    "card" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    CONSTRAINT "Tip_total" CHECK ("total" >= 1)
);

CREATE TABLE "TipShare" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "tipId" TEXT COLLATE "C" NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "recipient" TEXT COLLATE "C" NOT NULL,
    "amount" BIGINT NOT NULL,
    "state" TEXT COLLATE "C" NOT NULL,
    "until" TIMESTAMP(3),
    "claimId" TEXT COLLATE "C",
    CONSTRAINT "TipShare_amount" CHECK ("amount" >= 1),
    CONSTRAINT "TipShare_state" CHECK ("state" IN ('credited', 'parked', 'claimed', 'returned')),
    CONSTRAINT "TipShare_claimed" CHECK (("state" = 'claimed') = ("claimId" IS NOT NULL)),
    CONSTRAINT "TipShare_parked" CHECK ("state" <> 'parked' OR "until" IS NOT NULL)
);

CREATE TABLE "Claim" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "member" TEXT COLLATE "C" NOT NULL,
    "amount" BIGINT NOT NULL,
    "card" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    CONSTRAINT "Claim_amount" CHECK ("amount" >= 1)
);

CREATE TABLE "Payout" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "cause" TEXT COLLATE "C" NOT NULL,
    "card" TEXT COLLATE "C" NOT NULL,
    "member" TEXT COLLATE "C" NOT NULL,
    "lightningId" TEXT COLLATE "C" NOT NULL,
    "amount" BIGINT NOT NULL,
    "description" TEXT COLLATE "C" NOT NULL,
    "state" TEXT COLLATE "C" NOT NULL,
    "because" TEXT COLLATE "C",
    "reason" TEXT COLLATE "C",
    "key" TEXT COLLATE "C" NOT NULL,
    "provider" TEXT COLLATE "C",
    "body" TEXT COLLATE "C",
    "sentAt" TIMESTAMP(3),
    "transactionId" TEXT COLLATE "C",
    "receiverId" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    "endedAt" TIMESTAMP(3),
    CONSTRAINT "Payout_amount" CHECK ("amount" >= 1),
    CONSTRAINT "Payout_state" CHECK ("state" IN ('reserved', 'sending', 'unknown', 'paid', 'kept', 'misdirected')),
    CONSTRAINT "Payout_sent" CHECK ("state" IN ('reserved', 'kept') OR ("provider" IS NOT NULL AND "body" IS NOT NULL AND "sentAt" IS NOT NULL)),
    CONSTRAINT "Payout_kept" CHECK (("state" = 'kept') = ("because" IS NOT NULL)),
    CONSTRAINT "Payout_because" CHECK ("because" IN ('refused', 'unreachable', 'paused', 'interrupted', 'unlinked')),
    CONSTRAINT "Payout_ended" CHECK (("state" IN ('paid', 'kept', 'misdirected')) = ("endedAt" IS NOT NULL))
);

CREATE TABLE "Deposit" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "member" TEXT COLLATE "C" NOT NULL,
    "amount" BIGINT NOT NULL,
    "state" TEXT COLLATE "C" NOT NULL,
    "card" TEXT COLLATE "C" NOT NULL,
    "key" TEXT COLLATE "C" NOT NULL,
    "provider" TEXT COLLATE "C" NOT NULL,
    "chargeId" TEXT COLLATE "C",
    "request" TEXT COLLATE "C",
    "credited" INTEGER NOT NULL DEFAULT 0,
    "disabled" BOOLEAN NOT NULL DEFAULT false,
    "reason" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    "paidAt" TIMESTAMP(3),
    CONSTRAINT "Deposit_amount" CHECK ("amount" >= 1),
    CONSTRAINT "Deposit_state" CHECK ("state" IN ('creating', 'open', 'paid', 'closed', 'failed')),
    CONSTRAINT "Deposit_charge" CHECK ("state" IN ('creating', 'failed') OR ("chargeId" IS NOT NULL AND "request" IS NOT NULL)),
    CONSTRAINT "Deposit_paid" CHECK (("state" = 'paid') = ("credited" >= 1) AND ("state" = 'paid') = ("paidAt" IS NOT NULL))
);

CREATE TABLE "Invoice" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "member" TEXT COLLATE "C" NOT NULL,
    "lightningId" TEXT COLLATE "C" NOT NULL,
    "gamertag" TEXT COLLATE "C" NOT NULL,
    "amount" BIGINT NOT NULL,
    "description" TEXT COLLATE "C" NOT NULL,
    "state" TEXT COLLATE "C" NOT NULL,
    "card" TEXT COLLATE "C" NOT NULL,
    "channel" TEXT COLLATE "C" NOT NULL,
    "key" TEXT COLLATE "C" NOT NULL,
    "provider" TEXT COLLATE "C" NOT NULL,
    "chargeId" TEXT COLLATE "C",
    "request" TEXT COLLATE "C",
    "reason" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "paidAt" TIMESTAMP(3),
    CONSTRAINT "Invoice_amount" CHECK ("amount" >= 1),
    CONSTRAINT "Invoice_state" CHECK ("state" IN ('creating', 'open', 'paid', 'reported', 'expired', 'failed')),
    CONSTRAINT "Invoice_request" CHECK ("state" IN ('creating', 'failed') OR "request" IS NOT NULL),
    CONSTRAINT "Invoice_paid" CHECK (("state" IN ('paid', 'reported')) = ("paidAt" IS NOT NULL))
);

CREATE TABLE "Watch" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "kind" TEXT COLLATE "C" NOT NULL,
    "token" TEXT COLLATE "C",
    "bornAt" TIMESTAMP(3) NOT NULL,
    "nextAt" TIMESTAMP(3),
    "looks" INTEGER NOT NULL DEFAULT 0,
    "hints" INTEGER NOT NULL DEFAULT 0,
    "said" TEXT COLLATE "C"
);

CREATE TABLE "Card" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "kind" TEXT COLLATE "C" NOT NULL,
    "record" TEXT COLLATE "C" NOT NULL,
    "channel" TEXT COLLATE "C",
    "member" TEXT COLLATE "C",
    "interaction" TEXT COLLATE "C",
    "guild" TEXT COLLATE "C",
    "from" TEXT COLLATE "C",
    "reply" TEXT COLLATE "C",
    "locale" TEXT COLLATE "C",
    "message" TEXT COLLATE "C",
    "revision" INTEGER NOT NULL DEFAULT 1,
    "shown" INTEGER NOT NULL DEFAULT 0,
    "pending" BOOLEAN NOT NULL DEFAULT true,
    "untold" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" TIMESTAMP(3) NOT NULL,
    CONSTRAINT "Card_audience" CHECK (("channel" IS NULL) <> ("member" IS NULL)),
    CONSTRAINT "Card_shown" CHECK ("shown" <= "revision")
);

CREATE TABLE "Alarm" (
    "id" BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    "kind" TEXT COLLATE "C" NOT NULL,
    "about" TEXT COLLATE "C" NOT NULL,
    "text" TEXT COLLATE "C" NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
    "toldAt" TIMESTAMP(3)
);

CREATE TABLE "ExitPause" (
    "id" BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    "source" TEXT COLLATE "C" NOT NULL,
    "reason" TEXT COLLATE "C" NOT NULL,
    "since" TIMESTAMP(3) NOT NULL,
    "until" TIMESTAMP(3),
    CONSTRAINT "ExitPause_source" CHECK ("source" IN ('cover', 'operator'))
);

CREATE TABLE "Opening" (
    "id" BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    "amount" BIGINT NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
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
ALTER TABLE "TipShare" ADD CONSTRAINT "TipShare_tipId_fkey" FOREIGN KEY ("tipId") REFERENCES "Tip" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
