-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- What sending has cost: `charged` to payers, `absorbed` by the operator beyond a fee limit. `untold` is the part of what was
-- charged of which nobody knows how much the node took, because it does not say.

CREATE TABLE "RoutingFee" (
    "kind" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "total" BIGINT NOT NULL,
    "payments" INTEGER NOT NULL,
    CONSTRAINT "RoutingFee_kind" CHECK ("kind" IN ('charged', 'absorbed', 'untold')),
    CONSTRAINT "RoutingFee_counts_up" CHECK ("total" >= 0 AND "payments" >= 0)
);

INSERT INTO "RoutingFee" ("kind", "total", "payments")
SELECT 'charged', COALESCE(sum("fee"), 0), count(*) FROM "Payment" WHERE "status" = 'completed' AND "fee" > 0;

INSERT INTO "RoutingFee" ("kind", "total", "payments")
SELECT 'absorbed', COALESCE(sum(m."amount"), 0), count(*) FROM "Move" AS m
JOIN "Account" AS f ON f."id" = m."fromId" AND f."kind" = 'operator'
JOIN "Account" AS t ON t."id" = m."toId" AND t."kind" = 'node'
JOIN "Entry" AS e ON e."id" = m."entryId" AND e."step" = 'post';

INSERT INTO "RoutingFee" ("kind", "total", "payments") VALUES ('untold', 0, 0);

CREATE OR REPLACE FUNCTION "RoutingFee_of_payment"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
  IF NEW."status" = 'completed' AND OLD."status" <> 'completed' AND NEW."fee" > 0 THEN
    UPDATE "RoutingFee" SET "total" = "total" + NEW."fee", "payments" = "payments" + 1 WHERE "kind" = 'charged';
  END IF;
  RETURN NEW;
END
$body$;
CREATE TRIGGER "RoutingFee_of_payment" AFTER UPDATE OF "status" ON "Payment" FOR EACH ROW EXECUTE FUNCTION "RoutingFee_of_payment"();
