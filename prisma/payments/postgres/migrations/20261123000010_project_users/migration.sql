-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- Users that a project opened for people of its own: the project, and what it calls them.

ALTER TABLE "User" ADD COLUMN "projectId" TEXT COLLATE "C";
ALTER TABLE "User" ADD COLUMN "reference" TEXT COLLATE "C";
CREATE UNIQUE INDEX "User_projectId_reference_key" ON "User"("projectId", "reference");
