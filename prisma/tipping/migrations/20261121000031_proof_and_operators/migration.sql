-- What was owed and held at each audit, and what operators decided.

CREATE TABLE "Snapshot" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "at" DATETIME NOT NULL,
    "lastEntry" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "root" TEXT NOT NULL,
    "total" BIGINT NOT NULL,
    "leaves" INTEGER NOT NULL,
    "wallet" BIGINT,
    "expected" BIGINT NOT NULL,
    "mayHaveLeft" BIGINT NOT NULL,
    "mayHaveArrived" BIGINT NOT NULL,
    "holds" BOOLEAN NOT NULL,
    CONSTRAINT "Snapshot_hashes" CHECK (length("key") = 64 AND length("root") = 64),
    CONSTRAINT "Snapshot_total" CHECK ("total" >= 0)
);

CREATE TABLE "Decision" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "kind" TEXT NOT NULL,
    "payment" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "proposedBy" TEXT NOT NULL,
    "proposedReason" TEXT NOT NULL,
    "proposedAt" DATETIME NOT NULL,
    "secondedBy" TEXT,
    "secondedReason" TEXT,
    "secondedAt" DATETIME,
    CONSTRAINT "Decision_kind" CHECK ("kind" IN ('payout', 'withdrawal')),
    CONSTRAINT "Decision_outcome" CHECK ("outcome" IN ('paid', 'failed')),
    CONSTRAINT "Decision_state" CHECK ("state" IN ('proposed', 'replaced', 'overtaken', 'done')),
    CONSTRAINT "Decision_by_two" CHECK (("state" = 'done') = ("secondedBy" IS NOT NULL) AND ("secondedBy" IS NULL OR "secondedBy" <> "proposedBy")),
    CONSTRAINT "Decision_seconded" CHECK (("secondedBy" IS NULL) = ("secondedAt" IS NULL) AND ("secondedBy" IS NULL) = ("secondedReason" IS NULL))
);

CREATE INDEX "Decision_payment_idx" ON "Decision"("payment");

-- One proposal at a time for each payment.
CREATE UNIQUE INDEX "Decision_proposed" ON "Decision"("payment") WHERE "state" = 'proposed';

-- The record of what was proven and decided is kept.
CREATE TRIGGER "Snapshot_no_update" BEFORE UPDATE ON "Snapshot" BEGIN SELECT RAISE(ABORT, 'a snapshot stays as it was taken'); END;
CREATE TRIGGER "Decision_no_delete" BEFORE DELETE ON "Decision" BEGIN SELECT RAISE(ABORT, 'decisions stay on the record'); END;
CREATE TRIGGER "Decision_final" BEFORE UPDATE ON "Decision" WHEN OLD."state" <> 'proposed'
BEGIN SELECT RAISE(ABORT, 'a decision is changed by a further one'); END;
