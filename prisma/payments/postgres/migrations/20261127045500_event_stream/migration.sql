-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- What callbacks tell is also a stream of the project, whether or not anybody gave an address for them.

ALTER TABLE "Callback" ADD COLUMN "kind" TEXT COLLATE "C" NOT NULL DEFAULT '';
CREATE INDEX "Callback_projectId_id_idx" ON "Callback"("projectId", "id");
