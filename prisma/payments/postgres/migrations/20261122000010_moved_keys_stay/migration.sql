-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- An Idempotency-Key that moved money is never forgotten, and never becomes one that did not: without its row the same
-- key would move the money again. Its stored answer may be dropped.

CREATE OR REPLACE FUNCTION "IdempotencyKey_moved_no_delete"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  IF OLD."movedMoney" THEN
    RAISE EXCEPTION 'an Idempotency-Key that moved money is never forgotten' USING ERRCODE = 'check_violation';
  END IF;
  RETURN OLD;
END
$body$;
CREATE TRIGGER "IdempotencyKey_moved_no_delete" BEFORE DELETE ON "IdempotencyKey" FOR EACH ROW EXECUTE FUNCTION "IdempotencyKey_moved_no_delete"();

CREATE OR REPLACE FUNCTION "IdempotencyKey_moved_no_change"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  IF OLD."movedMoney" AND
(NEW."projectId" <> OLD."projectId" OR NEW."key" <> OLD."key" OR NOT NEW."movedMoney" OR NEW."paymentId" IS DISTINCT FROM OLD."paymentId") THEN
    RAISE EXCEPTION 'an Idempotency-Key that moved money stands for what it moved' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER "IdempotencyKey_moved_no_change" BEFORE UPDATE ON "IdempotencyKey" FOR EACH ROW EXECUTE FUNCTION "IdempotencyKey_moved_no_change"();
