-- When users changed their gamertags, so that nobody collects names; and the identifiers of a project, to be counted.

CREATE TABLE "GamertagChange" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "userId" TEXT NOT NULL,
    "at" DATETIME NOT NULL
);

CREATE INDEX "GamertagChange_userId_at_idx" ON "GamertagChange"("userId", "at");

CREATE INDEX "GamertagChange_at_idx" ON "GamertagChange"("at");

CREATE INDEX "StaticCharge_identified_idx" ON "StaticCharge"("projectId") WHERE "identifier" IS NOT NULL;
