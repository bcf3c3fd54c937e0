-- Users that a project opened for people of its own: the project, and what it calls them.

ALTER TABLE "User" ADD COLUMN "projectId" TEXT;
ALTER TABLE "User" ADD COLUMN "reference" TEXT;
CREATE UNIQUE INDEX "User_projectId_reference_key" ON "User"("projectId", "reference");
