-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- What is due to a Lightning Address is what is left of tips: whatever else leaves a balance is taken from them first, in the
-- transaction in which it leaves. So a deposit is never sent on. The rows of a transaction come before its moves.

CREATE OR REPLACE FUNCTION "Move_lowers_due"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  UPDATE "Member" SET "forwardDue" = CASE WHEN "forwardDue" > NEW."amount" THEN "forwardDue" - NEW."amount" ELSE 0 END WHERE "forwardDue" > 0 AND "id" = (SELECT "owner" FROM "Account" WHERE "id" = NEW."fromId" AND "kind" = 'member');
  RETURN NEW;
END
$body$;
CREATE TRIGGER "Move_lowers_due" AFTER INSERT ON "Move" FOR EACH ROW EXECUTE FUNCTION "Move_lowers_due"();

-- What was due and is not there any more.
UPDATE "Member" SET "forwardDue" = 0 WHERE "forwardDue" > 0 AND NOT EXISTS (SELECT 1 FROM "Account" WHERE "kind" = 'member' AND "owner" = "Member"."id");
UPDATE "Member" SET "forwardDue" = (SELECT "balance" FROM "Account" WHERE "kind" = 'member' AND "owner" = "Member"."id") WHERE "forwardDue" > (SELECT "balance" FROM "Account" WHERE "kind" = 'member' AND "owner" = "Member"."id");
