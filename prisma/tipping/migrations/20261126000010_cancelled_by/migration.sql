-- Who cancelled a giveaway, where a moderator did it for its starter.
ALTER TABLE "Giveaway" ADD COLUMN "cancelledBy" TEXT;
