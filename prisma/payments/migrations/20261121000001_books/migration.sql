-- The books. Prisma's schema cannot say CHECKs, triggers and partial indexes; they are the last line of defence, and
-- their presence is verified at every start.

CREATE TABLE "Account" (
    "id" INTEGER NOT NULL PRIMARY KEY,
    "kind" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "balance" BIGINT NOT NULL DEFAULT 0,
    "lastMoveId" INTEGER,
    CONSTRAINT "Account_sign" CHECK (
        ("kind" IN ('node') AND "balance" <= 0)
        OR ("kind" IN ('wallet', 'in_flight', 'voucher_escrow', 'fee_income', 'suspense') AND "balance" >= 0)
        OR "kind" = 'operator'
    )
);

CREATE TABLE "Entry" (
    "id" INTEGER NOT NULL PRIMARY KEY,
    "operation" TEXT NOT NULL,
    "step" TEXT NOT NULL,
    "at" DATETIME NOT NULL
);

CREATE TABLE "Move" (
    "id" INTEGER NOT NULL PRIMARY KEY,
    "entryId" INTEGER NOT NULL,
    "fromId" INTEGER NOT NULL,
    "toId" INTEGER NOT NULL,
    "amount" BIGINT NOT NULL,
    "fromPreviousId" INTEGER,
    "toPreviousId" INTEGER,
    CONSTRAINT "Move_between_two" CHECK ("fromId" <> "toId"),
    CONSTRAINT "Move_amount" CHECK ("amount" BETWEEN 1 AND 2100000000000000000),
    CONSTRAINT "Move_entryId_fkey" FOREIGN KEY ("entryId") REFERENCES "Entry" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "Move_fromId_fkey" FOREIGN KEY ("fromId") REFERENCES "Account" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "Move_toId_fkey" FOREIGN KEY ("toId") REFERENCES "Account" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE UNIQUE INDEX "Account_kind_owner_key" ON "Account"("kind", "owner");
CREATE UNIQUE INDEX "Entry_operation_step_key" ON "Entry"("operation", "step");
CREATE INDEX "Move_entryId_idx" ON "Move"("entryId");

-- An operation ends once: sender and resolver, claim and return, redeem and revoke cannot both win.
CREATE UNIQUE INDEX "Entry_one_end" ON "Entry"("operation") WHERE "step" IN ('post', 'void');

-- What is written stays written; a mistake is corrected by a further entry.
CREATE TRIGGER "Entry_no_update" BEFORE UPDATE ON "Entry" BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER "Entry_no_delete" BEFORE DELETE ON "Entry" BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER "Move_no_update" BEFORE UPDATE ON "Move" BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER "Move_no_delete" BEFORE DELETE ON "Move" BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
