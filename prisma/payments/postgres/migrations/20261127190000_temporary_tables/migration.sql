-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- A path that does not name `pg_temp` begins with it: a session's own "Account" would then stand for the book's.
DO $body$
DECLARE "trigger" regprocedure;
BEGIN
  FOR "trigger" IN SELECT oid FROM pg_proc WHERE pronamespace = current_schema()::regnamespace LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path TO %I, pg_temp', "trigger", current_schema());
  END LOOP;
END
$body$;
