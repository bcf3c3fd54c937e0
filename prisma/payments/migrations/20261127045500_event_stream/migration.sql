-- What callbacks tell is also a stream of the project, whether or not anybody gave an address for them.

ALTER TABLE "Callback" ADD COLUMN "kind" TEXT NOT NULL DEFAULT '';
CREATE INDEX "Callback_projectId_id_idx" ON "Callback"("projectId", "id");
