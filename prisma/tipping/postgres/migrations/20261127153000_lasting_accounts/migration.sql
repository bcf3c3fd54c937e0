-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- What a move names stays, and keeps its id: accounts, as entries before them. Where nothing goes away, it is enough that it was
-- there once.

CREATE OR REPLACE FUNCTION "Account_no_delete"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  RAISE EXCEPTION 'an account is never deleted' USING ERRCODE = 'check_violation';
  RETURN OLD;
END
$body$;
CREATE TRIGGER "Account_no_delete" BEFORE DELETE ON "Account" FOR EACH ROW EXECUTE FUNCTION "Account_no_delete"();
CREATE OR REPLACE FUNCTION "Account_no_new_id"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  RAISE EXCEPTION 'an account keeps its id' USING ERRCODE = 'check_violation';
  RETURN NEW;
END
$body$;
CREATE TRIGGER "Account_no_new_id" BEFORE UPDATE OF "id" ON "Account" FOR EACH ROW EXECUTE FUNCTION "Account_no_new_id"();

-- The keys looked at each move by itself, which took a third of the server's time under the book's lock.
CREATE OR REPLACE FUNCTION "Move_references"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  IF (SELECT count(*) FROM "inserted") <> (
    SELECT count(*) FROM "inserted" AS m JOIN "Entry" AS e ON e."id" = m."entryId"
      JOIN "Account" AS giver ON giver."id" = m."fromId" JOIN "Account" AS getter ON getter."id" = m."toId"
  ) THEN
    RAISE EXCEPTION 'a move names an entry or an account that is not there' USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END
$body$;
CREATE TRIGGER "Move_references" AFTER INSERT ON "Move" REFERENCING NEW TABLE AS "inserted" FOR EACH STATEMENT EXECUTE FUNCTION "Move_references"();
ALTER TABLE "Move" DROP CONSTRAINT "Move_entryId_fkey", DROP CONSTRAINT "Move_fromId_fkey", DROP CONSTRAINT "Move_toId_fkey";

-- The keys also refused to empty what they name. No trigger for rows hears of TRUNCATE.
CREATE OR REPLACE FUNCTION "Book_no_truncate"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  RAISE EXCEPTION 'a book is never emptied' USING ERRCODE = 'check_violation';
END
$body$;
CREATE TRIGGER "Account_no_truncate" BEFORE TRUNCATE ON "Account" FOR EACH STATEMENT EXECUTE FUNCTION "Book_no_truncate"();
CREATE TRIGGER "Entry_no_truncate" BEFORE TRUNCATE ON "Entry" FOR EACH STATEMENT EXECUTE FUNCTION "Book_no_truncate"();
CREATE TRIGGER "Move_no_truncate" BEFORE TRUNCATE ON "Move" FOR EACH STATEMENT EXECUTE FUNCTION "Book_no_truncate"();
