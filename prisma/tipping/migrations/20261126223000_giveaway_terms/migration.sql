-- Several required roles of a giveaway, and after how many entries it closes.
ALTER TABLE "Giveaway" ADD COLUMN "moreRoles" TEXT NOT NULL DEFAULT '[]';
ALTER TABLE "Giveaway" ADD COLUMN "allRoles" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "Giveaway" ADD COLUMN "maxEntries" INTEGER;
