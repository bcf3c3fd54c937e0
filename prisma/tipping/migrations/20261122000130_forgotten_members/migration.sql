-- When somebody had their names and links deleted; until they use the bot again they count as new.

ALTER TABLE "Member" ADD COLUMN "forgottenAt" DATETIME;
