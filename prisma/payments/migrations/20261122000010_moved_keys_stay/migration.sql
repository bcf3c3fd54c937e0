-- An Idempotency-Key that moved money is never forgotten, and never becomes one that did not: without its row the same
-- key would move the money again. Its stored answer may be dropped.

CREATE TRIGGER "IdempotencyKey_moved_no_delete" BEFORE DELETE ON "IdempotencyKey" WHEN OLD."movedMoney"
BEGIN SELECT RAISE(ABORT, 'an Idempotency-Key that moved money is never forgotten'); END;

CREATE TRIGGER "IdempotencyKey_moved_no_change" BEFORE UPDATE ON "IdempotencyKey" WHEN OLD."movedMoney" AND
(NEW."projectId" <> OLD."projectId" OR NEW."key" <> OLD."key" OR NOT NEW."movedMoney" OR NEW."paymentId" IS NOT OLD."paymentId")
BEGIN SELECT RAISE(ABORT, 'an Idempotency-Key that moved money stands for what it moved'); END;
